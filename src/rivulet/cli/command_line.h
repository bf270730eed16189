#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rivulet::cli {

/// An option of a command; conditions chain.
class Option {
 public:
    Option& required();
    Option& shows_default();
    Option& not_negative();
    Option& between(int low, int high);
    Option& between(double low, double high);
    Option& one_of(std::vector<std::string> words);
    /// Each mention takes one word: what follows is no further value of it.
    Option& one_word_each();
    Option& not_with(const Option& other);
    Option& needs(const Option& other);

 private:
    friend class Command;
    explicit Option(CLI::Option* option) : option_(option) {}
    CLI::Option* option_;
};

/// One word after `rivulet`, its options and what it does. The values that options fill must outlive the
/// parsing.
class Command {
 public:
    /// `names`: "-o,--out", or a word for the option that is known by its place.
    Option option(const std::string& names, std::string& value, const std::string& help);
    Option option(const std::string& names, std::vector<std::string>& value, const std::string& help);
    Option option(const std::string& names, int& value, const std::string& help);
    Option option(const std::string& names, std::int64_t& value, const std::string& help);
    Option option(const std::string& names, std::uint16_t& value, const std::string& help);
    Option option(const std::string& names, double& value, const std::string& help);
    void flag(const std::string& names, bool& value, const std::string& help);
    /// Called once everything is parsed; returns the program's exit code.
    void does(std::function<int()> work);

 private:
    friend class CommandLine;
    Command(CLI::App* app, int* exit_code) : app_(app), exit_code_(exit_code) {}
    CLI::App* app_;
    int* exit_code_;
};

/// The program's commands. command_line.cpp alone knows the library that parses them.
class CommandLine {
 public:
    explicit CommandLine(const std::string& about);
    ~CommandLine();
    Command add(const std::string& name, const std::string& help);
    /// A flag that says the version and ends the program.
    void version_flag(const std::string& name, std::function<std::string()> text, const std::string& help);
    std::vector<std::string> names() const;
    /// Parses and runs the command that is named; its exit code, or that of help or of a usage error, which
    /// it prints.
    int run(int argc, char** argv);

 private:
    std::unique_ptr<CLI::App> app_;
    int exit_code_;
};

}  // namespace rivulet::cli
