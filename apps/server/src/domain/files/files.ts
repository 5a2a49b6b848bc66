import type { Page, TemporaryFileListQuery } from '@parley/contract'
import type { FileRecord } from '../../ports/file-store.js'
import { recordChange } from '../audit/record-change.js'
import type { Caller, CallerScope } from '../caller-scope.js'
import { notFound } from '../domain-error.js'
import { requireMatch } from '../resources/if-match.js'
import { readPage } from '../resources/page.js'
import type { MeantVersion } from '../resources/resource.js'
import { storedContent } from './stored-content.js'
import { type IncomingFile, type UploadDependencies, uploadFile } from './upload-file.js'

const type = 'TemporaryFile'

export type Files = ReturnType<typeof makeFiles>

export function makeFiles(dependencies: UploadDependencies & { readonly maxFileBytes: number }) {
  const { clock, maxFileBytes } = dependencies

  async function read({ stores, caller }: CallerScope, id: string): Promise<FileRecord> {
    const found = await stores.files.find(caller.organizationId, id, clock.now().toISOString())
    if (found === null) throw notFound(type)
    return found
  }

  return {
    maxFileBytes,

    list: ({ stores, caller }: CallerScope, query: TemporaryFileListQuery): Promise<Page<FileRecord>> => {
      const { Search: search, ConversationId: conversationId } = query
      const filter = { search, conversationId, at: clock.now().toISOString() }
      return readPage(query, (page) => stores.files.list(caller.organizationId, filter, page))
    },

    read,

    /** A file and its contents, as they are asked for. */
    async open(scope: CallerScope, id: string) {
      const record = await read(scope, id)
      return { record, content: storedContent(scope.stores, record) }
    },

    /** Takes a file in; it can be used once this returns. Not inside a transaction: it takes as long as the sender likes. */
    upload: (caller: Caller, incoming: IncomingFile) => uploadFile(dependencies, caller, incoming),

    async remove(scope: CallerScope, { id, ifMatch }: MeantVersion): Promise<undefined> {
      const { name, version } = await read(scope, id)
      requireMatch(ifMatch, version)
      // Somebody else, or the clean-up, was quicker.
      if (!(await scope.stores.files.remove(id))) throw notFound(type)
      await recordChange(clock, scope, { action: 'temporary_file.delete', type, id, details: { name } })
    },
  }
}
