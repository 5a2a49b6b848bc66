import { parseSync, Visitor } from 'oxc-parser'

/** Returns the prose of a file with line numbers: Markdown, comments and messages in code. */
export function textsIn(file, text) {
  return file.endsWith('.md') ? prose(text) : codeTexts(file, text)
}

/** Code blocks, addresses and inline code are left out. */
function prose(text) {
  let isCode = false
  const lines = text.split('\n').map((line) => {
    if (/^\s*```/.test(line)) isCode = !isCode
    return isCode || /^\s*```/.test(line) ? '' : line
  })
  const texts = []
  let start = 0
  for (let at = 0; at <= lines.length; at += 1) {
    const isEnd = at === lines.length || lines[at].trim() === '' || /^\s*([-*#|]|\d+\.)/.test(lines[at])
    if (!isEnd) continue
    const block = lines.slice(start, at).join('\n')
    if (block.trim() !== '')
      texts.push(...cellsOf(block).map((cell) => ({ line: start + 1, text: plain(cell) })))
    start = at
  }
  return texts
}

function cellsOf(block) {
  return /^\s*\|/.test(block) ? block.split('|') : [block]
}

function plain(text) {
  return text
    .replace(/`[^`]*`/g, 'code')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*([-*#|]+|\d+\.)\s+/, '')
    .replace(/\*\*/g, '')
    .trim()
}

function codeTexts(file, text) {
  const { program, comments } = parseSync(file, text)
  const lineOf = makeLineOf(text)
  const texts = [...commentTexts(comments, lineOf), ...messages(program, lineOf)]
  return texts.filter(({ text: found }) => !/^\s*(biome|@ts|eslint)-|<reference/.test(found))
}

/** Consecutive line comments count as one text. */
function commentTexts(comments, lineOf) {
  const texts = []
  let last = null
  for (const { type, value, start, end } of comments) {
    const line = lineOf(start)
    const isNext = last !== null && type === 'Line' && last.type === 'Line' && line === last.endLine + 1
    if (isNext) last.text += `\n${value}`
    else {
      last = { type, line, text: value }
      texts.push(last)
    }
    last.endLine = lineOf(end)
  }
  return texts.map(({ line, text }) => ({ line, text: plain(text.replace(/^\s*\* ?/gm, '')) }))
}

/** Strings of at least four words: titles, descriptions, messages, labels. */
function messages(program, lineOf) {
  const texts = []
  const add = (start, text) => {
    const isProse =
      /[a-z]/.test(text) &&
      text.trim().split(/\s+/).length >= 4 &&
      !/[{};=<>]|\b(select|insert|update|delete) .*\b(from|into|set)\b/is.test(text)
    if (isProse) texts.push({ line: lineOf(start), text: plain(text) })
  }
  new Visitor({
    Literal: ({ value, start }) => typeof value === 'string' && add(start, value),
    TemplateLiteral: ({ quasis, start }) =>
      add(start, quasis.map(({ value }) => value.cooked ?? '').join('X')),
    JSXText: ({ value, start }) => add(start, value),
  }).visit(program)
  return texts
}

function makeLineOf(text) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (position) => {
    let low = 0
    let high = starts.length
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if (starts[middle] <= position) low = middle
      else high = middle
    }
    return low + 1
  }
}
