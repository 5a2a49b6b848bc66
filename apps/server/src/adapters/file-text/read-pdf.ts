import { getDocumentProxy } from 'unpdf'
import type { PassageCutter } from './passage-cutter.js'
import { type GivePassages, Unreadable } from './reader-messages.js'

const maxPages = 10_000

/** Reads the text of a PDF page by page. No passage spans two pages. */
export async function readPdf(content: Buffer, cutter: PassageCutter, give: GivePassages): Promise<void> {
  const document = await openDocument(content)
  if (document.numPages > maxPages) throw new Unreadable(`has more than ${maxPages} pages`)
  for (let number = 1; number <= document.numPages; number += 1) {
    await give(cutter.startSection(`page ${number}`))
    await give(cutter.add(await textOfPage(document, number)))
  }
}

/** A piece of a line, or a mark without text. */
interface PageItem {
  readonly str?: string
  readonly hasEOL?: boolean
}

type Document = Awaited<ReturnType<typeof getDocumentProxy>>

async function openDocument(content: Buffer): Promise<Document> {
  try {
    return await getDocumentProxy(new Uint8Array(content.buffer, content.byteOffset, content.length), {
      verbosity: 0,
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
    })
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      throw new Unreadable('is a PDF that is encrypted and needs a password')
    throw new Unreadable('is a PDF that is damaged', { cause: error })
  }
}

async function textOfPage(document: Document, number: number): Promise<string> {
  try {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    return (items as readonly PageItem[]).map(({ str = '', hasEOL }) => (hasEOL ? `${str}\n` : str)).join('')
  } catch (error) {
    throw new Unreadable(`is a PDF whose page ${number} is damaged`, { cause: error })
  }
}
