#pragma once

#include <vector>

#include <rivulet/contact/contact_point.h>
#include <rivulet/contact/edge_list.h>

namespace rivulet::contact {

/// Marks contacts that say what an earlier one of the list says. Strands side by side bear on each other at
/// their vertices, and a vertex belongs to two edges: each such place is found twice, and four times where
/// vertices lie beside vertices. Contacts repeat each other where their places on both strands are within a
/// fiftieth of an edge and their normals within 2.6°. `contacts` in the order of Contact::key; the edges of
/// an owner follow each other.
void mark_repeats(const EdgeList& edges, std::vector<Contact>& contacts);

}  // namespace rivulet::contact
