#include <rivulet/base/printable.h>

#include <gtest/gtest.h>

#include <rivulet/base/error.h>

namespace rivulet {
namespace {

TEST(Printable, CommandsToATerminalAreShown) {
    EXPECT_EQ(printable("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
    EXPECT_EQ(printable("over\rwritten\x07\x7f"), "over\\x0dwritten\\x07\\x7f");
    EXPECT_EQ(printable("two\nlines\t"), "two\\x0alines\\x09");
    EXPECT_EQ(printable_lines("two\nlines\t\x1b]0;title\x07"), "two\nlines\t\\x1b]0;title\\x07");
    EXPECT_EQ(printable("\xc2\x9b\x33\x31m"), "\\u009b31m") << "the one-letter form of escape [";
    EXPECT_EQ(printable("a\xe2\x80\xae"
                        "b"),
              "a\\u202eb")
        << "turns the direction of writing";
    EXPECT_EQ(printable(std::string_view("\0x", 2)), "\\x00x");
}

TEST(Printable, LettersOfAllLanguagesStay) {
    const std::string text = "Öl · 水 · мёд · 🌊 \"'\\";
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, BytesThatAreNoTextAreShown) {
    EXPECT_EQ(printable("\xff\x9b"
                        "1m"),
              "\\xff\\x9b1m");
    EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b") << "overlong";
    EXPECT_EQ(printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b") << "overlong";
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
    EXPECT_EQ(printable("cut \xf0\x9f\x8c"), "cut \\xf0\\x9f\\x8c");
    EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
}

TEST(ShellWord, IsOneWordToAShell) {
    EXPECT_EQ(shell_word("out/first-2.5_a"), "out/first-2.5_a");
    EXPECT_EQ(shell_word("my run"), "'my run'");
    EXPECT_EQ(shell_word("a;b$(c)`d`\\"), "'a;b$(c)`d`\\'");
    EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
    EXPECT_EQ(shell_word(""), "''");
}

TEST(Printable, ProblemsAreOneLineEach) {
    const Problem problem{"a\x1b.toml", 1, 2, "liquid.\x1b[2J", "unknown\nkey", "did you mean '\x07'?"};
    EXPECT_EQ(problem.text(), "a\\x1b.toml:1:2: liquid.\\x1b[2J: unknown\\x0akey; did you mean '\\x07'?");
}

}  // namespace
}  // namespace rivulet
