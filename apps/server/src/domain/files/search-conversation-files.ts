import type { Stores } from '../../ports/database.js'
import { storable } from '../storable-text.js'
import { passageBlocks } from './passage-blocks.js'

const maxFound = 8

/** The best passages of a conversation's files as text for the model; says so where there are no files or nothing was found. */
export async function searchConversationFiles(
  stores: Stores,
  conversationId: string,
  query: string,
  at: string,
): Promise<string> {
  const files = await stores.files.ofConversation(conversationId, at)
  if (files.length === 0) return 'This conversation has no files.'
  const names = files.map(({ name }) => name).join(', ')
  const readable = files.filter(({ characterCount }) => characterCount > 0)
  if (readable.length === 0) return `The files of this conversation have no text to search: ${names}.`
  const ids = readable.map(({ id }) => id)
  const found = await stores.files.searchPassages(ids, storable(query), maxFound)
  if (found.length === 0) return `Nothing was found in the files of this conversation: ${names}.`
  return passageBlocks(readable, found)
}
