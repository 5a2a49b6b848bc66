import type { Check } from '../check.js'
import { expectEqual, expectRejection } from '../expectations.js'

const needs = ['file:write'] as const

export const fileChecks: readonly Check[] = [
  {
    title: 'a file can be uploaded, downloaded unchanged and deleted',
    needs,
    look: 'the log of the request, and whether the proxy changes bodies',
    async run({ parley, run }) {
      const name = `${run.name}-note.txt`
      const contents = `The gate opens at nine.\r\nGrüße, ${run.name}\n`
      const { id, sizeBytes } = await parley.temporaryFiles.create({ name, contents })
      expectEqual(sizeBytes, Buffer.byteLength(contents), 'the size')
      expectEqual(await (await parley.temporaryFiles.getContent(id)).text(), contents, 'the contents')
      await parley.temporaryFiles.delete(id)
      await expectRejection(parley.temporaryFiles.get(id), 404, 'NotFound')
    },
  },
  {
    title: 'a file whose content does not match its name is rejected',
    needs,
    look: 'the log of the request',
    async run({ parley, run }) {
      const name = `${run.name}-picture.png`
      const contents = 'This is not a picture.'
      await expectRejection(parley.temporaryFiles.create({ name, contents }), 415, 'UnsupportedMediaType')
    },
  },
]
