export {}

declare global {
  /** The part of WebAssembly that the engine uses. TypeScript declares it for browsers only. */
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
