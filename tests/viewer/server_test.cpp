#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include <rivulet/base/error.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/viewer/run_content.h>
#include <rivulet/viewer/server.h>
#include <support/temporary_folder.h>

using namespace rivulet;
using namespace rivulet::viewer;

namespace {

/// A plain client: what is sent, and everything that comes back until the server closes or two seconds pass.
class Client {
 public:
    explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const timeval patience{2, 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    }
    ~Client() { ::close(socket_); }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    bool connected() const { return connected_; }
    void send(const std::string& text) const { ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }
    std::string receive() const {
        std::string all;
        char piece[4096];
        for (ssize_t n = 0; (n = ::recv(socket_, piece, sizeof piece, 0)) > 0;)
            all.append(piece, static_cast<std::size_t>(n));
        return all;
    }

 private:
    int socket_;
    bool connected_ = false;
};

class ViewerServer : public testing::Test {
 protected:
    ViewerServer() {
        auto& files = io::real_file_system();
        io::write_atomically(files, folder_ / "run.json", "{\"format\": 1, \"status\": \"finished\"}");
        io::write_atomically(files, folder_ / "scene.toml", "end = \"1 s\"\n");
        io::write_atomically(
            files, folder_ / "frames.csv",
            "frame,time,step,bytes,xxh64\n0,0,0,10,00000000000000aa\nbad\n2,0.1,3,10,00000000000000ab\n3,0.");
        io::write_atomically(files, folder_ / "metrics.csv", "step,time\n1,0.5\n2,1\n3,1.");
    }
    std::string get(const Server& server, const std::string& name,
                    const std::string& host = "127.0.0.1") const {
        const Client client(server.access().port);
        client.send("GET /" + server.access().token + "/" + name + " HTTP/1.1\r\nHost: " + host + ":" +
                    std::to_string(server.access().port) + "\r\nConnection: close\r\n\r\n");
        return client.receive();
    }
    test::TemporaryFolder folder_;
};

TEST_F(ViewerServer, ServesARunDirectoryAndNothingElse) {
    const Server server(std::make_unique<RunContent>(folder_.path()));
    EXPECT_TRUE(server.address().starts_with("http://127.0.0.1:"));
    EXPECT_NE(get(server, "").find("<!doctype html>"), std::string::npos);
    EXPECT_NE(get(server, "app.js").find("200 OK"), std::string::npos);
    EXPECT_NE(get(server, "api/scene").find("end = \"1 s\""), std::string::npos);
    EXPECT_NE(
        get(server, "api/frames").find("[[0, 0, \"00000000000000aa\"], [2, 0.1, \"00000000000000ab\"]]"),
        std::string::npos);
    EXPECT_NE(get(server, "api/run").find("\"damaged_rows\": 1"), std::string::npos);
    EXPECT_NE(get(server, "api/table/metrics").find("\"rows\": 2, \"rows_of_file\": 2"), std::string::npos);
    EXPECT_NE(get(server, "api/frame/0").find("404"), std::string::npos);
    EXPECT_NE(get(server, "run.json").find("404"), std::string::npos);
    EXPECT_NE(get(server, "api/run", "evil").find("403"), std::string::npos);
}

TEST_F(ViewerServer, PlacesAreForThoseWhoHaveTheToken) {
    std::filesystem::create_directory(folder_ / "frames");
    io::write_atomically(io::real_file_system(), folder_ / "frames" / "000000.npz", "rubbish");
    const Server server(std::make_unique<RunContent>(folder_.path()));
    const std::string place = folder_.path().string();
    EXPECT_NE(get(server, "api/frame/0").find(place), std::string::npos) << "an error says which file";
    EXPECT_NE(get(server, "api/run").find(place), std::string::npos);
    const std::string host =
        "\r\nHost: 127.0.0.1:" + std::to_string(server.access().port) + "\r\nConnection: close\r\n\r\n";
    std::string answer;
    for (const char* target : {"/", "/api/run", "/api/frame/0", "/api/scene", "/app.js", "/0123456789abcdef",
                               "/0123456789abcdef0123456789abcdef/api/frame/0", "/api/table/metrics"}) {
        const Client client(server.access().port);
        client.send(std::string("GET ") + target + " HTTP/1.1" + host);
        const std::string got = client.receive();
        EXPECT_NE(got.find("403"), std::string::npos) << target;
        EXPECT_EQ(got.find(place), std::string::npos) << target;
        EXPECT_TRUE(answer.empty() || got == answer) << "the answer tells nothing apart: " << target;
        answer = got;
    }
}

TEST_F(ViewerServer, ADamagedFrameIsA422AndIsNotCached) {
    std::filesystem::create_directory(folder_ / "frames");
    io::write_atomically(io::real_file_system(), folder_ / "frames" / "000000.npz", "rubbish");
    const Server server(std::make_unique<RunContent>(folder_.path()));
    EXPECT_NE(get(server, "api/frame/0").find("422"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "cache" / "000000.preview"));
}

TEST_F(ViewerServer, SlowClientsAreSentAway) {
    const Server server(std::make_unique<RunContent>(folder_.path()),
                        {.patience = std::chrono::milliseconds(300)});
    const Client silent(server.access().port), slow(server.access().port);
    slow.send("GET / HT");
    EXPECT_EQ(silent.receive(), "");
    EXPECT_NE(slow.receive().find("408"), std::string::npos);
}

TEST_F(ViewerServer, ConnectionsAreBounded) {
    const Server server(std::make_unique<RunContent>(folder_.path()), {.connections = 2});
    const Client first(server.access().port), second(server.access().port);
    first.send("GET"), second.send("GET");
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const Client third(server.access().port);
    EXPECT_NE(third.receive().find("503"), std::string::npos);
}

TEST_F(ViewerServer, AnOversizedRequestIsRefused) {
    const Server server(std::make_unique<RunContent>(folder_.path()));
    const Client client(server.access().port);
    client.send("GET /" + std::string(20'000, 'a'));
    EXPECT_NE(client.receive().find("431"), std::string::npos);
}

TEST_F(ViewerServer, TokensDiffer) {
    EXPECT_EQ(random_token().size(), 32u);
    EXPECT_NE(random_token(), random_token());
}

TEST_F(ViewerServer, AFolderThatIsNoRunIsRefused) {
    const test::TemporaryFolder empty;
    EXPECT_THROW(require_run_directory(empty.path()), InputError);
    EXPECT_NO_THROW(require_run_directory(folder_.path()));
}

TEST(ViewerTable, ThinningKeepsPeaksAndBoundsMemory) {
    ThinnedTable table(64);
    std::string text = "step,error\n";
    for (int i = 0; i < 10'000; ++i) text += std::to_string(i) + "," + (i == 7777 ? "-5" : "0.5") + "\n";
    table.append(text);
    EXPECT_EQ(table.rows_of_file(), 10'000u);
    EXPECT_LE(table.rows(), 64u);
    EXPECT_GE(table.rows(), 32u);
    float least = 0, last = -1;
    for (std::size_t r = 0; r < table.rows(); ++r) {
        EXPECT_GT(table.values()[2 * r], last);
        last = table.values()[2 * r];
        least = std::min(least, table.values()[2 * r + 1]);
    }
    EXPECT_EQ(last, 9999.0f);
    EXPECT_EQ(least, -5.0f);
    table.append("1,2,3\nx\n");
    EXPECT_EQ(table.damaged(), 2u);
}

TEST(ViewerTable, FollowsAFileThatGrowsAndShrinks) {
    const test::TemporaryFolder folder;
    auto& files = io::real_file_system();
    FollowedTable table(folder / "metrics.csv");
    EXPECT_EQ(table.update().rows(), 0u);
    io::write_atomically(files, folder / "metrics.csv", "step\n1\n2");
    EXPECT_EQ(table.update().rows(), 1u);
    io::write_atomically(files, folder / "metrics.csv", "step\n1\n25\n3\n");
    EXPECT_EQ(table.update().values(), (std::vector<float>{1, 25, 3}));
    io::write_atomically(files, folder / "metrics.csv", "step\n9\n");
    EXPECT_EQ(table.update().values(), (std::vector<float>{9}));
}

}  // namespace
