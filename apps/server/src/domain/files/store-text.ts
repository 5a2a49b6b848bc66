import type { Database } from '../../ports/database.js'
import type { FileRecord, Passage } from '../../ports/file-store.js'
import type { FileText, ReadOutcome, ReadPassage } from '../../ports/file-text.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import { storable } from '../storable-text.js'
import { unsupportedType } from './file-type.js'
import { storedContent } from './stored-content.js'

/**
 * How much is stored with one statement: the embedded database does one at a time, and others wait. So many of the short
 * passages that a file of headings has, or sixteen of the longest.
 */
const together = { passages: 128, characters: 16 * 1200 } as const

export interface StoreTextDependencies {
  readonly database: Database
  readonly fileText: FileText
}

/** Stores the text of a file whose contents are stored; returns how many characters it has. */
export async function storeText(
  { database, fileText }: StoreTextDependencies,
  record: FileRecord,
  signal: AbortSignal,
): Promise<number> {
  const { organizationId, contentType, sizeBytes } = record
  const { stores } = database.ownedBy({ organizationId, kind: 'file' })
  let [position, characterCount] = [0, 0]

  async function onPassages(passages: readonly ReadPassage[]): Promise<void> {
    for (const few of inBatches(passages)) {
      const batch = few.map(({ label, content }): Passage => {
        const passage = { position, label: label && storable(label), content: storable(content) }
        position += 1
        characterCount += passage.content.length
        return passage
      })
      signal.throwIfAborted()
      await stores.files.addPassages(record.id, batch)
    }
  }

  const content = storedContent(stores, record)
  requireRead(await fileText.read({ organizationId, contentType, sizeBytes, content, signal, onPassages }))
  return characterCount
}

function* inBatches(passages: readonly ReadPassage[]): Generator<readonly ReadPassage[]> {
  let [start, characters] = [0, 0]
  for (const [index, { content }] of passages.entries()) {
    const isFull = index - start === together.passages || characters + content.length > together.characters
    if (isFull && index > start) {
      yield passages.slice(start, index)
      ;[start, characters] = [index, 0]
    }
    characters += content.length
  }
  if (start < passages.length) yield passages.slice(start)
}

function requireRead(read: ReadOutcome): void {
  switch (read.kind) {
    case 'read':
      return
    case 'mislabelled':
      throw unsupportedType(`By its contents the file is ${read.detail}.`)
    case 'unreadable':
      throw invalidRequest([{ path: 'file', message: read.detail }])
    case 'busy':
      throw new DomainError('Unavailable', 'Too many files are being read at this moment. Try again soon.')
  }
}
