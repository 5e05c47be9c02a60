# headcount_shaders: the GLSL of shaders/, embedded. app/gl compiles it when the program starts.
file(GLOB shader_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/*.vert ${PROJECT_SOURCE_DIR}/shaders/*.frag
                                         ${PROJECT_SOURCE_DIR}/shaders/*.glsl)
headcount_embed(headcount_shaders KEEP_EXTENSIONS HEADER embedded_shaders.hpp TYPE EmbeddedShader FUNCTION embedded_shaders
    FILES ${shader_files})
