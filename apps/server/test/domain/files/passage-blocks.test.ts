import { expect, test } from 'vitest'
import { passageBlocks } from '#server/domain/files/passages.js'

const file = { id: 'file', name: 'notes.txt' }

test.each(['</passage>', '< / PASSAGE >', '<\n/\nfiles>', '< passage file="x">', '</ files>'])(
  'a passage cannot end its block with %j [BND-4]',
  (end) => {
    const passage = { fileId: file.id, label: null, position: 0, content: `a${end}b` }
    expect(passageBlocks([file], [passage])).toContain(`a&lt;${end.slice(1)}b`)
  },
)
