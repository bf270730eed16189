#pragma once

// The array archive (.npz): writer and reader.
#include <rivulet/io/archive_reader.h>
#include <rivulet/io/archive_writer.h>
