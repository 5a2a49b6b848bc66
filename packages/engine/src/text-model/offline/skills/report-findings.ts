import type { ModelMessage } from '../../text-model.js'
import { disclosure } from '../disclosure.js'
import type { Embedder } from '../embedder.js'
import { answerFromFiles, beginningOf, nothingInFiles } from '../file-answers.js'
import { findQuery } from '../find-words.js'
import { type Passage, readPassages } from '../passages.js'
import { reportResults } from '../report-result.js'
import { readRequest } from '../request.js'

/** What tools gave back, in words. What they found in files is not read out, but asked for the answer. */
export async function reportFindings(embedder: Embedder, talk: readonly ModelMessage[]): Promise<string> {
  const results = lastResults(talk)
  const found = results.map(({ output }) => readPassages(output))
  const passages = found.flatMap((one) => one.passages)
  if (passages.length === 0) return reportResults(results).replace(`${disclosure} `, '')
  const question = talk.findLast(({ role }) => role === 'user')
  const words = question?.role === 'user' ? question.text : null
  const answer = words === null ? null : await answerFromFiles(embedder, lookedFor(words), passages)
  const others = results.filter((_, index) => found[index]?.passages.length === 0)
  const told = answer?.fact ?? (words === null || isSearch(words) ? unsure(passages) : nothingInFiles)
  return others.length === 0 ? told : `${reportResults(others)} ${told}`
}

const askedOfFile =
  /^\W*what (?:do(?:es)? )?(?:the|my|our|your|this|these) (?:files?|documents?|texts?|manual|handbook|guide|book|instructions|contract|pdf) (?:say|tell|write)s?(?: me| us)? (?:about|on|regarding) (.+)$/is

/** "Search the files for the warranty" is about the warranty, not about searching; nor is it about the manual. */
function lookedFor(words: string): string {
  const subject = askedOfFile.exec(words)?.[1]
  if (subject !== undefined) return subject
  return isSearch(words) ? (findQuery(readRequest(words).core) ?? words) : words
}

/** Who has the files searched wants to see what was found; who asks a question wants its answer, or that there is none. */
function isSearch(words: string): boolean {
  const { kind, verb } = readRequest(words)
  return kind === 'order' && verb !== null && ['search', 'find', 'look', 'browse', 'check'].includes(verb)
}

function unsure(passages: readonly Passage[]): string {
  return `I am not sure that this is what you look for. ${beginningOf(passages)}`
}

function lastResults(talk: readonly ModelMessage[]): Extract<ModelMessage, { role: 'tool' }>[] {
  const start = talk.findLastIndex(({ role }) => role !== 'tool')
  return talk.slice(start + 1).filter((message) => message.role === 'tool')
}
