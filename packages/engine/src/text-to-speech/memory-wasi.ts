/**
 * The few system calls that a command line program in WebAssembly makes, answered from memory: it gets its arguments,
 * may write one file and read it back, and ends. Nothing of the machine can be reached.
 */
const errorCodes = { none: 0, badDescriptor: 8, noEntry: 44, notSeekable: 70 } as const
const descriptors = { folder: 3, file: 4 } as const
const allRights = 0xffff_ffff_ffff_ffffn

class Exit extends Error {
  readonly code: number

  constructor(code: number) {
    super(`The program ended with code ${code}.`)
    this.code = code
  }
}

interface Program {
  readonly memory: WebAssembly.Memory
  _start(): void
}

/** Runs the program and returns the file that it wrote. */
export function runProgram(module: WebAssembly.Module, args: readonly string[], outputName: string): Buffer {
  const file = new MemoryFile()
  let memory: WebAssembly.Memory | null = null
  const calls = systemCalls(args, outputName, file, () => {
    if (memory === null) throw new Error('The program has not started.')
    return memory.buffer
  })
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: calls })
  const program = instance.exports as unknown as Program
  memory = program.memory
  try {
    program._start()
  } catch (error) {
    if (!(error instanceof Exit) || error.code !== 0) throw error
  }
  return file.contents()
}

function systemCalls(
  args: readonly string[],
  outputName: string,
  file: MemoryFile,
  buffer: () => ArrayBuffer,
) {
  const view = () => new DataView(buffer())
  const bytes = () => new Uint8Array(buffer())
  const encoded = args.map((arg) => Buffer.from(`${arg}\0`))
  const vectors = (at: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const start = view().getUint32(at + 8 * index, true)
      return bytes().subarray(start, start + view().getUint32(at + 8 * index + 4, true))
    })
  return {
    args_sizes_get(countAt: number, sizeAt: number) {
      view().setUint32(countAt, encoded.length, true)
      view().setUint32(sizeAt, Buffer.concat(encoded).length, true)
      return errorCodes.none
    },
    args_get(pointersAt: number, textAt: number) {
      let place = textAt
      for (const [index, arg] of encoded.entries()) {
        view().setUint32(pointersAt + 4 * index, place, true)
        bytes().set(arg, place)
        place += arg.length
      }
      return errorCodes.none
    },
    clock_time_get(_clock: number, _precision: bigint, at: number) {
      view().setBigUint64(at, process.hrtime.bigint(), true)
      return errorCodes.none
    },
    fd_close: () => errorCodes.none,
    fd_fdstat_set_flags: () => errorCodes.none,
    fd_fdstat_get(descriptor: number, at: number) {
      if (descriptor > descriptors.file) return errorCodes.badDescriptor
      const characterDevice = 2
      view().setUint8(at, descriptor < descriptors.folder ? characterDevice : descriptor)
      view().setUint16(at + 2, 0, true)
      view().setBigUint64(at + 8, allRights, true)
      view().setBigUint64(at + 16, allRights, true)
      return errorCodes.none
    },
    fd_prestat_get(descriptor: number, at: number) {
      if (descriptor !== descriptors.folder) return errorCodes.badDescriptor
      view().setUint32(at, 0, true)
      view().setUint32(at + 4, 1, true)
      return errorCodes.none
    },
    fd_prestat_dir_name(_descriptor: number, at: number) {
      bytes()[at] = '/'.charCodeAt(0)
      return errorCodes.none
    },
    path_open(...parameters: readonly (number | bigint)[]) {
      const [nameAt, nameLength, openFlags, descriptorAt] = [2, 3, 4, 8].map((place) =>
        Number(parameters[place]),
      )
      const name = Buffer.from(buffer(), nameAt, nameLength).toString()
      if (!name.endsWith(outputName)) return errorCodes.noEntry
      const truncateFlag = 8
      file.open(((openFlags ?? 0) & truncateFlag) !== 0)
      view().setUint32(descriptorAt ?? 0, descriptors.file, true)
      return errorCodes.none
    },
    fd_seek(descriptor: number, offset: bigint, whence: number, at: number) {
      if (descriptor !== descriptors.file) return errorCodes.notSeekable
      view().setBigUint64(at, BigInt(file.seek(Number(offset), whence)), true)
      return errorCodes.none
    },
    fd_read(descriptor: number, vectorsAt: number, count: number, at: number) {
      const targets = descriptor === descriptors.file ? vectors(vectorsAt, count) : []
      view().setUint32(
        at,
        targets.reduce((total, target) => total + file.read(target), 0),
        true,
      )
      return errorCodes.none
    },
    fd_write(descriptor: number, vectorsAt: number, count: number, at: number) {
      const sources = vectors(vectorsAt, count)
      if (descriptor === descriptors.file) for (const source of sources) file.write(source)
      view().setUint32(
        at,
        sources.reduce((total, source) => total + source.length, 0),
        true,
      )
      return errorCodes.none
    },
    proc_exit(code: number): never {
      throw new Exit(code)
    },
  }
}

class MemoryFile {
  #bytes = Buffer.alloc(1 << 18)
  #length = 0
  #position = 0

  open(isEmptied: boolean): void {
    if (isEmptied) this.#length = 0
    this.#position = 0
  }

  seek(offset: number, whence: number): number {
    const origins = [0, this.#position, this.#length]
    this.#position = (origins[whence] ?? 0) + offset
    return this.#position
  }

  read(target: Uint8Array): number {
    const part = this.#bytes.subarray(this.#position, Math.min(this.#length, this.#position + target.length))
    target.set(part)
    this.#position += part.length
    return part.length
  }

  write(source: Uint8Array): void {
    const end = this.#position + source.length
    if (end > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(end, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    this.#bytes.set(source, this.#position)
    this.#position = end
    this.#length = Math.max(this.#length, end)
  }

  contents(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
