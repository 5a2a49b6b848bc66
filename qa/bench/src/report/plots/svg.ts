type Attributes = Readonly<Record<string, string | number>>

/** One element. Its content is not escaped, so text needs `text`. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const formatted = Object.entries(attributes).map(
    ([key, value]) => `${key}="${typeof value === 'number' ? round(value) : escaped(value)}"`,
  )
  const head = [name, ...formatted].join(' ')
  return content === '' ? `<${head}/>` : `<${head}>${content}</${name}>`
}

export const text = (attributes: Attributes, words: string) => element('text', attributes, escaped(words))

export const line = (from: readonly [number, number], to: readonly [number, number], className: string) =>
  element('line', { x1: from[0], y1: from[1], x2: to[0], y2: to[1], class: className })

const round = (value: number) => String(Math.round(value * 10) / 10)

function escaped(words: string): string {
  return words
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** The number of colors that people can distinguish, including people with color blindness. */
export const seriesCount = 10

const light = [
  '2563c9',
  '7a828c',
  'c96a12',
  '14855f',
  '9a3fb5',
  'b8324a',
  '0e7c92',
  '8a6d00',
  '5b5bd6',
  '3d4148',
]
const dark = [
  '6ea8ff',
  '9aa3ad',
  'f0a04b',
  '4cc79a',
  'd08be8',
  'f27a8d',
  '4fc3d9',
  'd9bd4a',
  'a3a3ff',
  'd0d4da',
]

/** The picture has its own background, so that it is legible on any page. */
const style = (colors: readonly string[], ground: string, ink: string, faint: string) =>
  [
    `.ground{fill:${ground}}.label{stroke:${ground}}.ink{fill:${ink}}.faint{stroke:${faint}}.axis,.whisker{stroke:${ink}}.mark{stroke:${ink}}`,
    ...colors.map((color, index) => `.fill${index}{fill:#${color}}.stroke${index}{stroke:#${color}}`),
  ].join('')

const styles = [
  'text{font:13px system-ui,sans-serif}.title{font-size:17px;font-weight:600}.small{font-size:11px}',
  '.line{fill:none;stroke-width:2}.label{paint-order:stroke;stroke-width:3}.faint,.axis,.whisker{stroke-width:1}.mark{stroke-width:1.5;stroke-dasharray:6 4;fill:none}',
  style(light, '#ffffff', '#24292f', '#d8dee4'),
  `@media (prefers-color-scheme:dark){${style(dark, '#161b22', '#e6edf3', '#3a424c')}}`,
].join('')

export interface Picture {
  readonly width: number
  readonly height: number
  readonly title: string
  readonly description: string
}

export function picture({ width, height, title, description }: Picture, content: readonly string[]): string {
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
  }
  const parts = [
    element('title', {}, escaped(title)),
    element('desc', {}, escaped(description)),
    element('style', {}, styles),
    element('rect', { class: 'ground', width, height, rx: 8 }),
    text({ class: 'ink title', x: 20, y: 30 }, title),
    ...content,
  ]
  return `${element('svg', attributes, `\n${parts.join('\n')}\n`)}\n`
}
