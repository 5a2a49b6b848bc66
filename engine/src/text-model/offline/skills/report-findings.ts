import type { ModelMessage } from '../../text-model.js'
import { disclosure } from '../disclosure.js'
import type { Embedder } from '../embedder.js'
import { answerFromFiles, beginningOf } from '../file-answers.js'
import { readPassages } from '../passages.js'
import { reportResults } from '../report-result.js'

/** What tools gave back, in words. What they found in files is not read out, but asked for the answer. */
export async function reportFindings(embedder: Embedder, talk: readonly ModelMessage[]): Promise<string> {
  const results = lastResults(talk)
  const found = results.map(({ output }) => readPassages(output))
  const passages = found.flatMap((one) => one.passages)
  if (passages.length === 0) return reportResults(results).replace(`${disclosure} `, '')
  const question = talk.findLast(({ role }) => role === 'user')
  const words = question?.role === 'user' ? question.text : ''
  const answer = await answerFromFiles(embedder, words, passages)
  const others = results.filter((_, index) => found[index]?.passages.length === 0)
  const told = answer?.fact ?? beginningOf(passages)
  return others.length === 0 ? told : `${reportResults(others)} ${told}`
}

function lastResults(talk: readonly ModelMessage[]): Extract<ModelMessage, { role: 'tool' }>[] {
  const start = talk.findLastIndex(({ role }) => role !== 'tool')
  return talk.slice(start + 1).filter((message) => message.role === 'tool')
}
