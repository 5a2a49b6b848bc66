import mammoth from 'mammoth'
import { checkZip } from './check-zip.js'
import type { PassageCutter } from './passage-cutter.js'
import { readMarkup } from './read-html.js'
import { type GivePassages, Mislabelled, Unreadable } from './reader-messages.js'

const requiredEntries = ['[Content_Types].xml', 'word/document.xml']

/** Reads a Word document after its zip was checked. */
export async function readDocx(content: Buffer, cutter: PassageCutter, give: GivePassages): Promise<void> {
  const names = await checkZip(content)
  if (!requiredEntries.every((name) => names.has(name)))
    throw new Mislabelled('a zip file that is not a Word document')
  await readMarkup(await markupOf(content), cutter, give)
}

async function markupOf(content: Buffer): Promise<string> {
  // Otherwise, entire pictures would be converted to text.
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  try {
    return (await mammoth.convertToHtml({ buffer: content }, { convertImage })).value
  } catch (error) {
    throw new Unreadable('is a Word document that is damaged', { cause: error })
  }
}
