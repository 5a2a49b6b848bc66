import { readFileSync } from 'node:fs'

/** Made at build by packages/engine/scripts/make-example-vectors.mjs: to work them out takes seconds at every start. */
const file = new URL('../../example-vectors.json', import.meta.url)

/** The directions of the sentences that every question is compared with; none where nobody has made them. */
export function readExampleVectors(): ReadonlyMap<string, readonly number[]> {
  try {
    const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Record<string, string> }
    return new Map(Object.entries(vectors).map(([sentence, packed]) => [sentence, unpack(packed)]))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map()
    throw error
  }
}

function unpack(packed: string): readonly number[] {
  const bytes = Buffer.from(packed, 'base64')
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4))
}
