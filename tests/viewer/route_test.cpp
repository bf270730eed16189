#include <gtest/gtest.h>

#include <rivulet/viewer/route.h>

using namespace rivulet::viewer;

namespace {

const Access kAccess{8080, "5ecre7"};

class NamedContent : public Content {
 public:
    std::optional<Response> asset(std::string_view name) override {
        if (name.empty()) return named("page");
        return std::nullopt;
    }
    Response run() override { return named("run"); }
    Response frames(std::int64_t from) override { return named("frames " + std::to_string(from)); }
    Response frame(std::int64_t number) override { return named("frame " + std::to_string(number)); }
    Response obstacles() override { return named("obstacles"); }
    Response table(std::string_view name) override { return named("table " + std::string(name)); }
    Response scene() override { throw std::runtime_error("no scene"); }
    Response log() override { return named("log"); }
    Response cameras() override { return named("cameras"); }
    Response surface() override { return named("surface"); }
    Response make_surface(std::optional<std::int64_t> frame) override {
        return named(frame ? "make " + std::to_string(*frame) : "make all");
    }
    Response stop_surface() override { return named("stop"); }
    Response locate(std::int64_t, std::string_view entity) override { return named(std::string(entity)); }

 private:
    static Response named(std::string text) { return plain_response(200, std::move(text)); }
};

std::string request_text(const std::string& target, const std::string& fields = "Host: 127.0.0.1:8080\r\n",
                         const std::string& method = "GET") {
    return method + " " + target + " HTTP/1.1\r\n" + fields + "\r\n";
}

Response ask(const std::string& text) {
    const Parsed parsed = parse_request(text);
    if (parsed.state == Parsed::State::refused) return plain_response(parsed.status, parsed.reason);
    EXPECT_EQ(parsed.state, Parsed::State::complete);
    NamedContent content;
    return handle(parsed.request, kAccess, content);
}

TEST(ViewerRoute, ServesWhatIsAskedWithTheToken) {
    EXPECT_EQ(ask(request_text("/5ecre7/")).body, "page");
    EXPECT_EQ(ask(request_text("/5ecre7/api/run")).body, "run");
    EXPECT_EQ(ask(request_text("/5ecre7/api/frame/12")).body, "frame 12");
    EXPECT_EQ(ask(request_text("/5ecre7/api/frames?from=7")).body, "frames 7");
    EXPECT_EQ(ask(request_text("/5ecre7/api/frames")).body, "frames 0");
    EXPECT_EQ(ask(request_text("/5ecre7/api/table/timings")).body, "table timings");
    EXPECT_EQ(ask(request_text("/5ecre7/api/locate?frame=1&entity=strand%2012%2F3")).body, "strand 12/3");
    EXPECT_EQ(ask(request_text("/5ecre7/api/run", "host:LOCALHOST:8080\r\n")).body, "run");
    EXPECT_EQ(
        ask(request_text("/5ecre7/api/run", "Host: 127.0.0.1:8080\r\nOrigin: http://127.0.0.1:8080\r\n"))
            .body,
        "run");
}

TEST(ViewerRoute, RefusesWithoutTheToken) {
    for (const char* target : {"/", "/api/run", "/5ecre8/api/run", "/5ecre8", "/5ecre/", "/5ecre77/", "//",
                               "/?token=5ecre7", "/x/5ecre7/api/run"})
        EXPECT_EQ(ask(request_text(target)).status, 403) << target;
    EXPECT_FALSE(same_secret("", ""));
    EXPECT_TRUE(same_secret("abc", "abc"));
    EXPECT_FALSE(same_secret("abd", "abc"));
}

TEST(ViewerRoute, TheAddressWithoutItsLastSlashLeadsToThePage) {
    const Response response = ask(request_text("/5ecre7"));
    EXPECT_EQ(response.status, 308);
    EXPECT_EQ(response.location, "/5ecre7/");
    EXPECT_NE(response_head(response, true).find("\r\nLocation: /5ecre7/\r\n"), std::string::npos);
    EXPECT_EQ(response_head(ask(request_text("/5ecre7/")), true).find("Location"), std::string::npos);
    EXPECT_TRUE(ask(request_text("/5ecre8")).location.empty());
}

TEST(ViewerRoute, RefusesOtherHostsAndOrigins) {
    for (const char* host : {"127.0.0.1", "127.0.0.1:8081", "evil:8080", "127.0.0.1:8080.evil", "localhost"})
        EXPECT_EQ(ask(request_text("/5ecre7/", std::string("Host: ") + host + "\r\n")).status, 403) << host;
    EXPECT_EQ(ask(request_text("/5ecre7/", "")).status, 403);
    for (const char* origin :
         {"null", "http://evil:8080", "https://127.0.0.1:8080", "http://127.0.0.1:80", ""})
        EXPECT_EQ(
            ask(request_text("/5ecre7/", std::string("Host: 127.0.0.1:8080\r\nOrigin: ") + origin + "\r\n"))
                .status,
            403)
            << origin;
}

TEST(ViewerRoute, RefusesPathTricksAndOtherMethods) {
    for (const char* target :
         {"/5ecre7/../run.json", "/5ecre7/frames/000000.npz", "/5ecre7/api/frame/-1", "/5ecre7/api/frame/1x",
          "/5ecre7/api/frame/", "/5ecre7/api/frame/9999999999", "/5ecre7/api/table/log", "/5ecre7/api/"})
        EXPECT_EQ(ask(request_text(target)).status, 404) << target;
    for (const char* target :
         {"/5ecre7/%2e%2e%2frun.json", "/5ecre7/%00", "/5ecre7/%5c", "/5ecre7/%g0", "/5ecre7/%2"})
        EXPECT_EQ(ask(request_text(target)).status, 400) << target;
    EXPECT_EQ(ask(request_text("/5ecre7/", "Host: 127.0.0.1:8080\r\n", "POST")).status, 405);
    EXPECT_EQ(ask(request_text("/5ecre7/", "Host: 127.0.0.1:8080\r\n", "DELETE")).status, 405);
}

TEST(ViewerRoute, SurfacesAreMadeByPostAlone) {
    const std::string host = "Host: 127.0.0.1:8080\r\n";
    const auto post = [&](const std::string& target, const std::string& fields) {
        return ask(request_text(target, fields, "POST"));
    };
    EXPECT_EQ(post("/5ecre7/api/surface?frame=12", host).body, "make 12");
    EXPECT_EQ(post("/5ecre7/api/surface?frame=all", host + "Content-Length: 0\r\n").body, "make all");
    EXPECT_EQ(post("/5ecre7/api/surface/stop", host).body, "stop");
    EXPECT_EQ(ask(request_text("/5ecre7/api/surface?frame=12")).body, "surface") << "GET only looks";
    EXPECT_EQ(ask(request_text("/5ecre7/api/surface/stop")).status, 404);
    for (const char* bad : {"", "?frame=", "?frame=-1", "?frame=1x", "?frame=../1"})
        EXPECT_EQ(post(std::string("/5ecre7/api/surface") + bad, host).status, 400) << bad;
    for (const char* target : {"/5ecre7/api/run", "/5ecre7/", "/5ecre7/api/frame/1"})
        EXPECT_EQ(post(target, host).status, 405) << target;
    EXPECT_EQ(post("/5ecre8/api/surface?frame=1", host).status, 403);
    EXPECT_EQ(post("/5ecre7/api/surface?frame=1", host + "Origin: http://evil:8080\r\n").status, 403);
    EXPECT_EQ(post("/5ecre7/api/surface?frame=1", host + "Content-Length: 3\r\n").status, 413);
}

TEST(ViewerRoute, AnErrorBecomesAnAnswer) {
    const Response response = ask(request_text("/5ecre7/api/scene"));
    EXPECT_EQ(response.status, 500);
    EXPECT_EQ(response.body, "{\"error\": \"no scene\"}");
}

TEST(ViewerRequest, WaitsForTheEndAndTakesNoMore) {
    const std::string one = request_text("/a"), two = one + request_text("/b");
    for (std::size_t n = 0; n < one.size(); ++n)
        EXPECT_EQ(parse_request(two.substr(0, n)).state, Parsed::State::incomplete);
    EXPECT_EQ(parse_request(two).length, one.size());
}

TEST(ViewerRequest, RefusesWhatIsMalformedOrTooLarge) {
    const auto status = [](const std::string& text) {
        const Parsed parsed = parse_request(text);
        return parsed.state == Parsed::State::refused ? parsed.status : 0;
    };
    EXPECT_EQ(status(std::string(kMostRequestBytes, 'a')), 431);
    EXPECT_EQ(status(request_text("/", "X: " + std::string(kMostRequestBytes, 'a') + "\r\n")), 431);
    std::string many;
    for (std::size_t i = 0; i <= kMostHeaderFields; ++i) many += "X: y\r\n";
    EXPECT_EQ(status(request_text("/", many)), 431);
    EXPECT_EQ(status(request_text("/", "Content-Length: 4\r\n")), 413);
    EXPECT_EQ(status(request_text("/", "Transfer-Encoding: chunked\r\n")), 413);
    EXPECT_EQ(status(request_text("/", "Host: a\r\nHost: a\r\n")), 400);
    EXPECT_EQ(status(request_text("/", "Origin: a\r\nOrigin: a\r\n")), 400);
    EXPECT_EQ(status(request_text("/", "no colon\r\n")), 400);
    EXPECT_EQ(status(request_text("/", " folded: a\r\n")), 400);
    EXPECT_EQ(status(request_text("/", std::string("X: a\0b\r\n", 8))), 400);
    EXPECT_EQ(status(request_text("http://127.0.0.1/")), 400);
    EXPECT_EQ(status("GET / HTTP/2\r\n\r\n"), 400);
    EXPECT_EQ(status("GET /\r\n\r\n"), 400);
    EXPECT_EQ(status(request_text("/")), 0);
}

TEST(ViewerText, JsonIsEscapedAndUtf8) {
    EXPECT_EQ(json_text("a\"b\\c\n\x01"), "\"a\\\"b\\\\c\\n\\u0001\"");
    EXPECT_EQ(json_text("\xc3\xa9\xff\xc0\x80"), "\"\xc3\xa9\\ufffd\\ufffd\\ufffd\"");
    EXPECT_EQ(json_number(1.5), "1.5");
    EXPECT_EQ(json_number(0.0 / std::numeric_limits<double>::infinity()), "0");
    EXPECT_EQ(json_number(std::numeric_limits<double>::infinity()), "null");
}

}  // namespace
