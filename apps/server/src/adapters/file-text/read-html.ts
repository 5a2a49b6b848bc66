import { convert, type FormatCallback } from 'html-to-text'
import type { PassageCutter } from './passage-cutter.js'
import { type GivePassages, Unreadable } from './reader-messages.js'
import { encodingOf } from './text-check.js'

/** Precedes a heading's line in the formatter's output. The same character is removed from the file's text. */
const headingMark = '\u0001'

const heading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 })
  builder.addLiteral(headingMark)
  walk(element.children, builder)
  builder.closeBlock({ trailingLineBreaks: 1 })
}

const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder)
  builder.addLiteral(' | ')
}

const formatAs = (format: string, ...selectors: readonly string[]) =>
  selectors.map((selector) => ({ selector, format }))

export async function readHtml(content: Buffer, cutter: PassageCutter, give: GivePassages): Promise<void> {
  await readMarkup(new TextDecoder(encodingOf(content)).decode(content), cutter, give)
}

/** Reads the text of a page. Passages are labeled with the heading above them. */
export async function readMarkup(html: string, cutter: PassageCutter, give: GivePassages): Promise<void> {
  for (const [index, section] of textOf(html).split(headingMark).entries()) {
    // The text before the first mark has no heading.
    if (index > 0) await give(cutter.startSection(section.split('\n', 1)[0] ?? ''))
    await give(cutter.add(section))
  }
}

function textOf(html: string): string {
  try {
    return convert(html.replaceAll(headingMark, ''), {
      wordwrap: false,
      formatters: { heading, cell },
      limits: { maxInputLength: html.length + 1, maxDepth: 1000 },
      selectors: [
        ...formatAs('heading', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'),
        ...formatAs('block', 'table', 'tr'),
        ...formatAs('cell', 'td', 'th'),
        ...formatAs('skip', 'script', 'style', 'template', 'svg', 'img'),
        { selector: 'a', options: { ignoreHref: true } },
      ],
    })
  } catch (error) {
    throw new Unreadable('is HTML that cannot be read', { cause: error })
  }
}
