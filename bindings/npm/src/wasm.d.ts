/** A module that the host compiles when it loads the script. */
declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
