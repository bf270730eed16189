#pragma once

#include <vector>

#include <rivulet/contact/contact_point.h>
#include <rivulet/contact/edge_list.h>
#include <rivulet/contact/sweep_tree.h>
#include <rivulet/contact/wall_approach.h>

namespace rivulet::contact {

struct DetectionSettings {
    double margin = 0;        // between surfaces: what comes nearer is listed too [m]; pairs of edges also
                              // where their liquid reaches (EdgeList::reach)
    double tolerance = 1e-3;  // of the sum of radii: how exactly impacts are found
    double crossing = 0.3;    // sine of the angle above which two edges have one contact
    double depth = 1e-2;      // of the sum of radii: see bearing_places
};

/// The contacts of two edges over the step; how many were written to `out`, without the numbers of
/// edges and owners.
int contacts_of_edges(const MovingEdge& a, const MovingEdge& b, double touch,
                      const DetectionSettings& settings, Contact (&out)[2]);

/// Finds all contacts of a step. Keeps memory between calls, never truth: nothing depends on earlier calls.
class Detector {
 public:
    /// Fills `out` in the order of Contact::key, repeats marked, the same bits for any number of threads.
    void detect(const EdgeList& edges, const geometry::SolidField& solids, const DetectionSettings& settings,
                std::vector<Contact>& out);

    /// Pairs of edges whose boxes overlapped in the last call and that were tested exactly.
    std::size_t tested_pairs() const;
    std::size_t memory() const;

    /// Its stages: boxes, the tree and the edges in its order; then pairs of edges; then
    /// walls.
    void sweep(const EdgeList& edges, const DetectionSettings& settings);
    void find_edge_contacts(const EdgeList& edges, const DetectionSettings& settings);
    void find_wall_contacts(const EdgeList& edges, const geometry::SolidField& solids,
                            const DetectionSettings& settings);
    /// What they have found, in order.
    void gather(std::vector<Contact>& out) const;

 private:
    struct Swept {
        MovingEdge edge;
        double radius;
        std::uint32_t number, owner;
    };
    /// What the edges at a vertex say about it.
    struct VertexRole {
        std::uint32_t edge = Contact::kNobody;  // the lowest one: it reports the vertex
        std::int32_t grows_from = -1;
        bool held = false;
    };
    struct Part {
        std::vector<Contact> contacts;
        std::size_t tested = 0;
    };
    void assign_vertices(const EdgeList& edges);
    void walls_of_edge(const EdgeList& edges, std::size_t edge, const Wall& wall,
                       const DetectionSettings& settings, std::vector<Contact>& out) const;

    SweepTree tree_;
    std::vector<geometry::Bounds> boxes_;
    std::vector<Swept> swept_;  // in the order of the tree
    std::vector<VertexRole> roles_;
    std::vector<Part> pair_parts_, wall_parts_;
};

}  // namespace rivulet::contact
