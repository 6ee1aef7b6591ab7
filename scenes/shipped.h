// The shipped scenes that have a file of their own; make_scenes.cpp writes them all.
#pragma once

#include <string>

#include "core/scene/values/scene.h"

namespace hazumi::shipped {

Scene kangaroos();                         // locality, thesis figure 2.29
Scene spot(const std::string& folder);     // an imported mesh filled with tetrahedra
Scene fish();                              // anisotropy, thesis figure 2.30
Scene thrown_back();                       // its motion films it
Scene falling_fish();                      // kept volume, thesis figures 3.4 and 3.9
Scene clay();                              // springs that yield
Scene biscuit(const std::string& folder);  // springs that break
Scene bent_bars();                         // polyhedral elements beside springs
Scene lattices();                          // polyhedral elements beside springs that fold
Scene pressed_flat();                      // from a plane
Scene cut_and_turned();                    // the paper's test of anisotropy
Scene taught_cloths();                     // poses of cloth
Scene caterpillars();                      // keyed shapes
Scene gap_creatures();                     // the way between keys, directed beside linear
Scene directed_bounce();                   // a recorded way that was edited
Scene puddings();                          // shape matching
Scene twist_and_bend();                    // poses
Scene cushions();                          // volume with keys
Scene car();
Scene four_cars();
Scene teddy();
Scene taught_teddy();     // poses of two groups
Scene clock();            // thesis figure 4.14
Scene clock_with_arms();  // the same, of parts
Scene twelve_principles();
Scene ten_pin();             // thesis figure 4.1
Scene linear_and_lattice();  // thesis figure 2.7
Scene dominoes();
Scene wrecking_ball(const std::string& folder);
Scene jelly(const std::string& folder);
Scene ring_toss(const std::string& folder);  // rings of Voronoi cells over a peg
Scene poncho(const std::string& folder);     // a cloth from a mesh
Scene loop(const std::string& folder);
Scene tea_table(const std::string& folder);
Scene poured_box();
Scene juggler();  // led by keys
Scene thrower();
Scene gripper();
Scene bus();       // with passengers
Scene soft_bus();  // thesis figures 4.11, 4.12
Scene soft_car();  // thesis figure 1.1
Scene dolls();     // thesis figure 2.28
Scene lights();    // keyed lights
Scene cuts();      // three cameras
Scene chain();     // joints
Scene driven_car();
Scene crane();
Scene puppet();
Scene flag();              // leads, thesis figure 3.2
Scene bowling();           // a motion graph, thesis figure 4.28
Scene branches();          // a branch of a motion graph, thesis figure 4.27
Scene cartoon_ball();      // shapes that are told, contact that is directed
Scene domino_branch();     // a branch at the end of a row
Scene fan();               // a motion sets a motor and a wind
Scene running_kangaroo();  // metaballs that go with bones
Scene rearing_car();       // thesis figures 4.8, 4.9
Scene two_links();         // shared nodes, thesis figure 2.24
Scene flag_in_the_wind();  // fields of force, thesis figure 3.2
Scene floating_boxes();
Scene tablecloth();  // cloth
Scene curtain();
Scene rope_bridge();  // ropes
Scene balloons();
Scene fountain();  // particles
Scene chimney();
Scene explosion();
Scene snowfall();
Scene dusty_car();
Scene boat();
Scene marbles();  // copies of objects

}  // namespace hazumi::shipped
