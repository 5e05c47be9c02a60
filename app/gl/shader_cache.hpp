// What drivers keep on disk.
#pragma once

namespace headcount {

// Before a context is made, while there is one thread. Mesa maps the file that it keeps shaders in: a disk that is full
// ends the program with SIGBUS. Where hardly any room is left it keeps none.
void spare_full_disk();

}  // namespace headcount
