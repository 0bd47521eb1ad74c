// Included before libqpdf's headers where Clang before 16 compiles with libstdc++: in C++20 that cannot compile JSON.hh,
// a class of which holds a vector of itself. Nothing here uses that class; the other headers need its name.
#define JSON_HH
class JSON;
