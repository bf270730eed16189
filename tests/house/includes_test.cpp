#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;
const fs::path kSource = RIVULET_SOURCE_DIR;

std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    std::stringstream s;
    s << in.rdbuf();
    return s.str();
}

/// Room -> floor, from the table in docs/architecture.md.
std::map<std::string, int> room_table() {
    std::map<std::string, int> floors;
    const std::string text = text_of(kSource / "docs/architecture.md");
    const std::regex row(R"(\|\s*(\d+)\s*\|\s*`([a-z]+)`\s*\|)");
    for (std::sregex_iterator i(text.begin(), text.end(), row), end; i != end; ++i)
        floors[(*i)[2]] = std::stoi((*i)[1]);
    return floors;
}

TEST(Includes, EveryRoomIsInTheTable) {
    const auto floors = room_table();
    ASSERT_GT(floors.size(), 10u);
    for (const auto& entry : fs::directory_iterator(kSource / "src/rivulet"))
        if (entry.is_directory()) {
            EXPECT_TRUE(floors.count(entry.path().filename().string()))
                << entry.path().filename() << " has no row";
        }
}

TEST(Includes, RoomsIncludeOnlyLowerFloors) {
    const auto floors = room_table();
    const std::regex include(R"(#include\s*[<"]rivulet/([a-z]+)/([^>"]+)[>"])");
    for (const auto& entry : fs::recursive_directory_iterator(kSource / "src/rivulet")) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".h" && extension != ".cpp") continue;
        const std::string room = fs::relative(entry.path(), kSource / "src/rivulet").begin()->string();
        const std::string text = text_of(entry.path());
        for (std::sregex_iterator i(text.begin(), text.end(), include), end; i != end; ++i) {
            const std::string other = (*i)[1];
            ASSERT_TRUE(floors.count(other)) << entry.path() << " includes a room without a row: " << other;
            EXPECT_TRUE(other == room || floors.at(other) < floors.at(room))
                << entry.path() << " (floor " << floors.at(room) << ") includes " << other << "/" << (*i)[2]
                << " (floor " << floors.at(other) << ")";
        }
    }
}

TEST(Includes, OurHeadersAreNamedInFull) {
    const std::regex quoted(R"(#include\s*"[^"]+\.h")");
    for (const auto& entry : fs::recursive_directory_iterator(kSource / "src/rivulet"))
        if (entry.is_regular_file()) {
            EXPECT_FALSE(std::regex_search(text_of(entry.path()), quoted))
                << entry.path() << ": write <rivulet/room/file.h>";
        }
}

}  // namespace
