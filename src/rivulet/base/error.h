#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace rivulet {

/// What every typed error derives from. The library throws; only the command line prints and exits.
class Error : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// One thing wrong with an input file, for a person to mend. Lines and columns count from 1; 0: unknown.
struct Problem {
    std::string file;
    int line = 0, column = 0;
    std::string key;      // e.g. strands.locks.youngs_modulus
    std::string message;  // what is wrong
    std::string hint;     // what to write instead

    /// file:line:column: key: message; hint
    std::string text() const;
};

/// Bad input: exit code 2. Carries every problem found.
class InputError : public Error {
 public:
    explicit InputError(Problem problem) : InputError(std::vector<Problem>{std::move(problem)}) {}
    explicit InputError(std::vector<Problem> problems);
    const std::vector<Problem>& problems() const { return problems_; }

 private:
    std::vector<Problem> problems_;
};

/// A file could not be read or written by the machine (permissions, full disk, ...): exit code 1.
class IoError : public Error {
 public:
    IoError(const std::string& path, const std::string& message) : Error(path + ": " + message) {}
};

/// A stage of the step could not do its work. The stepper rolls back and retries with a smaller step. Who
/// throws names the entity; which stage it was the stepper knows.
class StepFailed : public Error {
 public:
    StepFailed(std::string entity_name, const std::string& message, double residual_value = 0)
        : Error(message),
          entity(std::move(entity_name)),
          reason(message),
          residual(residual_value),
          text_(entity + ": " + reason) {}

    /// The same, from the stage that ran.
    StepFailed& in_stage(std::string name) {
        stage = std::move(name);
        text_ = stage + ": " + entity + ": " + reason;
        return *this;
    }
    const char* what() const noexcept override { return text_.c_str(); }

    std::string stage, entity, reason;
    double residual;

 private:
    std::string text_;
};

}  // namespace rivulet
