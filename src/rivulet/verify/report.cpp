#include <rivulet/verify/report.h>

#include <fmt/format.h>

#include <algorithm>

#include <rivulet/io/atomic_file.h>
#include <rivulet/io/json_line.h>

namespace rivulet::verify {

namespace {

std::string escaped(const std::string& text) {
    std::string out;
    for (char c : text) {
        if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '&')
            out += "&amp;";
        else
            out += c;
    }
    return out;
}

std::string target_text(const Quantity& q) {
    switch (q.kind) {
        case Quantity::Kind::relative:
            return fmt::format("{:.7g} &plusmn; {:.3g} %", q.reference, 100 * q.tolerance);
        case Quantity::Kind::absolute:
            return fmt::format("{:.7g} &plusmn; {:.3g}", q.reference, q.tolerance);
        case Quantity::Kind::at_most:
            return fmt::format("&le; {:.4g}", q.reference);
        case Quantity::Kind::at_least:
            return fmt::format("&ge; {:.4g}", q.reference);
    }
    return "";
}

constexpr const char* kStyle = R"(<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1b2733}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #dde4ea}
.pass{color:#15803d}.fail{color:#b91c1c;font-weight:600}h2{margin:2rem 0 .3rem}small{color:#5b6b7a}
.plots{display:flex;flex-wrap:wrap;gap:1rem}svg{background:#fff;border:1px solid #dde4ea;border-radius:6px}
</style>)";

std::string case_section(const Finished& c) {
    std::string html = fmt::format("<h2 id=\"{0}\">{0}</h2><small>{1} &middot; {2:.1f} s</small>",
                                   c.full_name, escaped(c.source), c.seconds);
    if (!c.error.empty()) html += "<p class=\"fail\">" + escaped(c.error) + "</p>";
    if (!c.outcome.remark.empty()) html += "<p>" + escaped(c.outcome.remark) + "</p>";
    html += "<table><tr><th>quantity</th><th>measured</th><th>wanted</th><th>order</th><th></th></tr>";
    for (const Quantity& q : c.outcome.quantities)
        html += fmt::format(
            "<tr><td>{}</td><td>{:.7g}</td><td>{}</td><td>{}</td><td class=\"{}\">{}</td></tr>",
            escaped(q.name), q.value, target_text(q), q.order ? fmt::format("{:.2f}", *q.order) : "",
            q.passed() ? "pass" : "fail", q.passed() ? "passed" : "failed");
    html += "</table><div class=\"plots\">";
    for (const Plot& p : c.outcome.plots) html += svg_plot(p);
    return html + "</div>";
}

}  // namespace

bool Finished::passed() const {
    return error.empty() && !outcome.quantities.empty() &&
           std::all_of(outcome.quantities.begin(), outcome.quantities.end(),
                       [](const Quantity& q) { return q.passed(); });
}

std::string json_lines(const Finished& finished) {
    std::string lines;
    const auto end_line = [&](io::JsonLine& line) {
        lines += line.add("seconds", finished.seconds).add("source", finished.source).text() + "\n";
    };
    if (!finished.error.empty()) {
        io::JsonLine line;
        line.add("case", finished.full_name).add("passed", false).add("error", finished.error);
        end_line(line);
    }
    for (const Quantity& q : finished.outcome.quantities) {
        io::JsonLine line;
        line.add("case", finished.full_name).add("passed", q.passed());
        if (!q.name.empty()) line.add("quantity", q.name);
        line.add("value", q.value).add("reference", q.reference).add("tolerance", q.tolerance);
        if (q.kind == Quantity::Kind::at_most) line.add("bound", "at_most");
        if (q.kind == Quantity::Kind::at_least) line.add("bound", "at_least");
        if (q.order) line.add("order", *q.order);
        end_line(line);
    }
    return lines;
}

void write_report(io::FileSystem& files, const std::filesystem::path& folder,
                  const std::vector<Finished>& cases, const std::string& version) {
    std::string html =
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Rivulet: validation</title>";
    html += kStyle;
    const auto passed =
        std::count_if(cases.begin(), cases.end(), [](const Finished& c) { return c.passed(); });
    html += fmt::format("<h1>Rivulet {}: validation</h1><p>{} of {} cases passed.</p><table>",
                        escaped(version), passed, cases.size());
    for (const Finished& c : cases)
        html += fmt::format(
            "<tr><td><a href=\"#{0}\">{0}</a></td><td>{1}</td><td class=\"{2}\">{3}</td></tr>", c.full_name,
            escaped(c.source), c.passed() ? "pass" : "fail", c.passed() ? "passed" : "failed");
    html += "</table>";
    for (const Finished& c : cases) html += case_section(c);
    files.create_directories(folder);
    io::write_atomically(files, folder / "index.html", html + "</html>\n");
}

}  // namespace rivulet::verify
