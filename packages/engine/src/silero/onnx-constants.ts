/** Field numbers of onnx.proto on the path to the constants of a model. */
const modelFields = { graph: 7 } as const
const graphFields = { node: 1 } as const
const nodeFields = { output: 2, attribute: 5 } as const
const attributeFields = { tensor: 5, graph: 6 } as const
const tensorFields = { rawData: 9 } as const

/** Reads the constants of an ONNX file by name, from its graph and the subgraphs of `If` nodes. */
export function readOnnxConstants(file: Uint8Array): ReadonlyMap<string, Float32Array> {
  const constants = new Map<string, Float32Array>()
  for (const graph of messages(file, modelFields.graph)) collectConstants(graph, constants)
  return constants
}

function collectConstants(graph: Uint8Array, into: Map<string, Float32Array>): void {
  for (const node of messages(graph, graphFields.node)) {
    const [output] = messages(node, nodeFields.output)
    for (const attribute of messages(node, nodeFields.attribute)) {
      for (const branch of messages(attribute, attributeFields.graph)) collectConstants(branch, into)
      for (const tensor of messages(attribute, attributeFields.tensor))
        for (const data of messages(tensor, tensorFields.rawData))
          if (output) into.set(Buffer.from(output).toString(), toFloats(data))
    }
  }
}

function toFloats(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: bytes.length >> 2 }, (_, index) => view.getFloat32(4 * index, true))
}

/** Wire types of Protocol Buffers. */
const wireTypes = { varint: 0, eightBytes: 1, bytes: 2, fourBytes: 5 } as const

/** Yields the contents of the length-delimited fields with this number. */
function* messages(message: Uint8Array, wanted: number): Generator<Uint8Array> {
  let place = 0
  const readVarint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = message[place] ?? 0
      place += 1
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (place < message.length) {
    const tag = readVarint()
    const type = tag & 7
    if (type === wireTypes.bytes) {
      const length = readVarint()
      if (tag >> 3 === wanted) yield message.subarray(place, place + length)
      place += length
    } else if (type === wireTypes.varint) readVarint()
    else if (type === wireTypes.fourBytes) place += 4
    else if (type === wireTypes.eightBytes) place += 8
    else throw new Error('The model is not an ONNX file.')
  }
}
