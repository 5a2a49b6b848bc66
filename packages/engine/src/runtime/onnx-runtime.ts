import { readFile } from 'node:fs/promises'
import { importOptional } from './optional-package.js'

export interface Tensor {
  readonly data: Float32Array
}

export interface Model {
  run(inputs: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>
}

type TensorData = Float32Array | BigInt64Array | readonly boolean[]

/** Runs neural networks on any machine. */
export interface OnnxRuntime {
  tensor(type: 'float32' | 'int64' | 'bool', data: TensorData, dimensions: readonly number[]): Tensor
  open(file: string): Promise<Model>
}

/** The part of the library that the engine uses. The package is optional, so its own types cannot be imported. */
interface OnnxLibrary {
  readonly Tensor: new (type: string, data: TensorData, dimensions: readonly number[]) => Tensor
  readonly InferenceSession: { create(model: Uint8Array, options: object): Promise<Model> }
  readonly env: { wasm: { numThreads?: number } }
}

export async function loadOnnxRuntime(): Promise<OnnxRuntime> {
  const library = await importOptional<OnnxLibrary>('onnxruntime-web')
  // One thread: all workers share the machine, and the calls are short.
  library.env.wasm.numThreads = 1
  return {
    tensor: (type, data, dimensions) => new library.Tensor(type, data, dimensions),
    open: async (file) =>
      library.InferenceSession.create(await readFile(file), { executionProviders: ['wasm'] }),
  }
}
