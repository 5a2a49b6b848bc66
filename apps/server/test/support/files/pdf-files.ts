/** A hand-written PDF with these objects. The first is the catalog. */
function writePdf(objects: readonly string[], trailer = ''): Buffer {
  let text = '%PDF-1.4\n'
  const offsets: number[] = []
  for (const [index, object] of objects.entries()) {
    offsets.push(text.length)
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
  }
  const start = text.length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
const page = (more = '') => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] ${more} >>`
const pages = (kids: string, count: number) => `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`
const hex = (bytes: number) => `<${'5a'.repeat(bytes)}>`

/** PDFs that no reader should accept, and the word in the error. */
export const hostilePdfs: Readonly<Record<string, readonly [content: Buffer, why: RegExp]>> = {
  'a PDF that only has its first line': [Buffer.from('%PDF-1.7\n'), /damaged/],
  'a PDF of rubbish': [Buffer.from(`%PDF-1.7\n${'obj << rubbish >> '.repeat(1000)}`), /damaged/],
  'a PDF that needs a password': [
    writePdf(
      [
        catalog,
        pages('3 0 R', 1),
        page(),
        `<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O ${hex(32)} /U ${hex(32)} >>`,
      ],
      `/Encrypt 4 0 R /ID [${hex(16)} ${hex(16)}]`,
    ),
    /encrypted/,
  ],
  'a PDF with a cycle of pages': [writePdf([catalog, pages('2 0 R', 9000)]), /damaged/],
  'a PDF with deeply nested page contents': [
    writePdf([catalog, pages('3 0 R', 1), page(`/Contents ${'['.repeat(1_000_000)}`)]),
    /damaged|memory/,
  ],
}

/** A PDF of one page that claims to have a million. */
export const overstatedPdf = writePdf([catalog, pages('3 0 R', 1_000_000), page()])
