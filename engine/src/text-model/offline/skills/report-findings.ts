import type { ModelMessage } from '../../text-model.js'
import { disclosure } from '../disclosure.js'
import type { Embedder } from '../embedder.js'
import { answerFromFiles, beginningOf } from '../file-answers.js'
import { findQuery } from '../find-words.js'
import { readPassages } from '../passages.js'
import { reportResults } from '../report-result.js'
import { readRequest } from '../request.js'

/** What tools gave back, in words. What they found in files is not read out, but asked for the answer. */
export async function reportFindings(embedder: Embedder, talk: readonly ModelMessage[]): Promise<string> {
  const results = lastResults(talk)
  const found = results.map(({ output }) => readPassages(output))
  const passages = found.flatMap((one) => one.passages)
  if (passages.length === 0) return reportResults(results).replace(`${disclosure} `, '')
  const question = talk.findLast(({ role }) => role === 'user')
  const answer =
    question?.role === 'user' ? await answerFromFiles(embedder, lookedFor(question.text), passages) : null
  const others = results.filter((_, index) => found[index]?.passages.length === 0)
  const told = answer?.fact ?? `I am not sure that this is what you look for. ${beginningOf(passages)}`
  return others.length === 0 ? told : `${reportResults(others)} ${told}`
}

/** "Search the files for the warranty" is about the warranty, not about searching. */
function lookedFor(words: string): string {
  const { kind, verb, core } = readRequest(words)
  const isSearch = kind === 'order' && ['search', 'find', 'look', 'browse', 'check'].includes(verb ?? '')
  return isSearch ? (findQuery(core) ?? words) : words
}

function lastResults(talk: readonly ModelMessage[]): Extract<ModelMessage, { role: 'tool' }>[] {
  const start = talk.findLastIndex(({ role }) => role !== 'tool')
  return talk.slice(start + 1).filter((message) => message.role === 'tool')
}
