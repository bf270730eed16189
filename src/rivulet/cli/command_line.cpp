#include <rivulet/cli/command_line.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <sstream>

#include <rivulet/cli/commands.h>
#include <rivulet/cli/terminal.h>

namespace rivulet::cli {

Option& Option::required() {
    return option_->required(), *this;
}
Option& Option::shows_default() {
    return option_->capture_default_str(), *this;
}
Option& Option::not_negative() {
    return option_->check(CLI::NonNegativeNumber), *this;
}
Option& Option::between(int low, int high) {
    return option_->check(CLI::Range(low, high)), *this;
}
Option& Option::between(double low, double high) {
    return option_->check(CLI::Range(low, high)), *this;
}
Option& Option::one_of(std::vector<std::string> words) {
    return option_->check(CLI::IsMember(std::move(words))), *this;
}
Option& Option::one_word_each() {
    return option_->allow_extra_args(false), *this;
}
Option& Option::not_with(const Option& other) {
    return option_->excludes(other.option_), *this;
}
Option& Option::needs(const Option& other) {
    return option_->needs(other.option_), *this;
}

Option Command::option(const std::string& names, std::string& value, const std::string& help) {
    return Option(app_->add_option(names, value, help));
}
Option Command::option(const std::string& names, std::vector<std::string>& value, const std::string& help) {
    return Option(app_->add_option(names, value, help));
}
Option Command::option(const std::string& names, int& value, const std::string& help) {
    return Option(app_->add_option(names, value, help));
}
Option Command::option(const std::string& names, std::int64_t& value, const std::string& help) {
    return Option(app_->add_option(names, value, help));
}
Option Command::option(const std::string& names, std::uint16_t& value, const std::string& help) {
    return Option(app_->add_option(names, value, help));
}
Option Command::option(const std::string& names, double& value, const std::string& help) {
    return Option(app_->add_option(names, value, help));
}
void Command::flag(const std::string& names, bool& value, const std::string& help) {
    app_->add_flag(names, value, help);
}
void Command::does(std::function<int()> work) {
    app_->callback([work = std::move(work), exit_code = exit_code_] { *exit_code = work(); });
}

CommandLine::CommandLine(const std::string& about)
    : app_(std::make_unique<CLI::App>(about)), exit_code_(kDone) {
    app_->require_subcommand(1);
    app_->set_help_all_flag("--help-all", "help of every command");
}
CommandLine::~CommandLine() = default;

Command CommandLine::add(const std::string& name, const std::string& help) {
    return {app_->add_subcommand(name, help), &exit_code_};
}

void CommandLine::version_flag(const std::string& name, std::function<std::string()> text,
                               const std::string& help) {
    app_->set_version_flag(name, std::move(text), help);
}

std::vector<std::string> CommandLine::names() const {
    std::vector<std::string> out;
    for (const CLI::App* c : app_->get_subcommands([](const CLI::App*) { return true; }))
        out.push_back(c->get_name());
    return out;
}

int CommandLine::run(int argc, char** argv) {
    try {
        app_->parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        std::ostringstream asked, complaint;
        const int code = app_->exit(e, asked, complaint);
        say("{}", asked.str());
        note("{}", complaint.str());
        return code == 0 ? kDone : kBadInput;
    }
    return exit_code_;
}

}  // namespace rivulet::cli
