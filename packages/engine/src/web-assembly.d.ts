export {}

declare global {
  /** The little of WebAssembly that is used here. The compiler knows it as a part of browsers alone. */
  namespace WebAssembly {
    class Module {}
    class Instance {
      constructor(module: Module, imports: object)
      readonly exports: object
    }
    interface Memory {
      readonly buffer: ArrayBuffer
    }
    function compile(bytes: Uint8Array): Promise<Module>
  }
}
