import { readFile } from 'node:fs/promises'
import { importOptional } from './optional-package.js'

export type RuntimeChoice = 'auto' | 'native' | 'wasm'

export interface Tensor {
  readonly data: Float32Array
}

export interface Model {
  run(inputs: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>
}

type TensorData = Float32Array | BigInt64Array | readonly boolean[]

/** What runs the neural networks: the native library where it loads, WebAssembly otherwise. */
export interface OnnxRuntime {
  readonly isNative: boolean
  tensor(type: 'float32' | 'int64' | 'bool', data: TensorData, dimensions: readonly number[]): Tensor
  open(file: string): Promise<Model>
}

/** The part of both libraries that is used here. They may be absent, so their own types cannot be named. */
interface OnnxLibrary {
  readonly Tensor: new (type: string, data: TensorData, dimensions: readonly number[]) => Tensor
  readonly InferenceSession: { create(model: string | Uint8Array, options: object): Promise<Model> }
  readonly env: { wasm: { numThreads?: number } }
}

export async function loadOnnxRuntime(choice: RuntimeChoice): Promise<OnnxRuntime> {
  if (choice === 'wasm') return loadWasm()
  try {
    return await loadNative()
  } catch (error) {
    // Absent, or built for another machine: either way the slower one does the same.
    if (choice === 'native') throw error
    return loadWasm()
  }
}

async function loadNative(): Promise<OnnxRuntime> {
  const library = unwrap(await importOptional<OnnxLibrary | { default: OnnxLibrary }>('onnxruntime-node'))
  // One thread each: the threads of all workers share the machine, and the calls are short.
  const options = { executionProviders: ['cpu'], intraOpNumThreads: 1, interOpNumThreads: 1 }
  return {
    isNative: true,
    tensor: (type, data, dimensions) => new library.Tensor(type, data, dimensions),
    open: (file) => library.InferenceSession.create(file, options),
  }
}

async function loadWasm(): Promise<OnnxRuntime> {
  const library = unwrap(await importOptional<OnnxLibrary | { default: OnnxLibrary }>('onnxruntime-web'))
  library.env.wasm.numThreads = 1
  return {
    isNative: false,
    tensor: (type, data, dimensions) => new library.Tensor(type, data, dimensions),
    open: async (file) =>
      library.InferenceSession.create(await readFile(file), { executionProviders: ['wasm'] }),
  }
}

function unwrap(module: OnnxLibrary | { default: OnnxLibrary }): OnnxLibrary {
  return 'InferenceSession' in module ? module : module.default
}
