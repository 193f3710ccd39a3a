// libprotobuf is C++: only CProtobufScan includes its headers.
