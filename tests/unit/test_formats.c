#include "formats.h"
#include "test.h"
int main(void){return test_end();}
