#include "worker/torch_pch.h"
