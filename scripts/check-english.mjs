// Counts phrases that make text hard to read, and sentences that are too long. Part of `npm run check`.
//
//   node scripts/check-english.mjs                 fails if a folder has more than scripts/english/baseline.json allows
//   node scripts/check-english.mjs --list FOLDER   prints each finding below FOLDER
//   node scripts/check-english.mjs --update        writes the figures of today, which may only shrink
//
// It reads comments, Markdown, test titles, descriptions, messages and the console's texts. CONTRIBUTING.md explains the rules.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { phrases } from './english/phrases.mjs'
import { textsIn } from './english/texts.mjs'

const top = fileURLToPath(new URL('../', import.meta.url))
const baselineFile = new URL('english/baseline.json', import.meta.url)

const longestSentence = 35

/** Files that list the phrases, are generated, or quote other authors. */
const ignored = /^(scripts\/english\/|packages\/sdk\/src\/generated\/|.*\.schema\.json$)|CODE_OF_CONDUCT/

const [option, argument = ''] = process.argv.slice(2)
const findings = findAll()

if (option === '--list') {
  for (const { file, line, phrase, sentence } of findings.list)
    if (file.startsWith(argument)) console.log(`${file}:${line}  [${phrase}]  ${sentence}`)
} else {
  const today = Object.fromEntries(
    [...findings.folders].sort().map(([name, count]) => [name, summary(count)]),
  )
  if (option === '--update') writeFileSync(baselineFile, `${JSON.stringify(today, null, 2)}\n`)
  report(today, JSON.parse(readFileSync(baselineFile, 'utf8')))
}

function findAll() {
  const folders = new Map()
  const list = []
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.md'], {
    cwd: top,
    encoding: 'utf8',
  })
  for (const file of files.split('\n').filter((name) => name !== '' && !ignored.test(name))) {
    const name = folderOf(file)
    const count = folders.get(name) ?? { words: 0, phrases: 0, longSentences: 0 }
    folders.set(name, count)
    for (const { line, text } of textsIn(file, readFileSync(`${top}${file}`, 'utf8')))
      for (const sentence of sentencesOf(text)) {
        const words = sentence.split(/\s+/).length
        count.words += words
        for (const phrase of phrasesIn(sentence)) {
          count.phrases += 1
          list.push({ file, line, phrase, sentence })
        }
        if (words <= longestSentence) continue
        count.longSentences += 1
        list.push({ file, line, phrase: `${words} words`, sentence })
      }
  }
  return { folders, list }
}

/** `apps/server/src/domain`, `packages/sdk`, `docs`, or `.` for the files at the top. */
function folderOf(file) {
  const parts = file.split('/')
  if (parts.length === 1) return '.'
  if (file.startsWith('apps/server/src/'))
    return parts
      .slice(0, 4)
      .filter((part) => !part.includes('.'))
      .join('/')
  const depth = /^(apps|packages|qa)$/.test(parts[0]) ? 2 : 1
  return [...parts.slice(0, depth), ...(depth === 2 && parts[2] === 'test' ? ['test'] : [])].join('/')
}

function sentencesOf(text) {
  return text
    .split(/(?<=[.!?:;])\s+(?=[A-Z"'`(*[])|\n\s*\n|\n(?=\s*[-*|#] ?)| \| /)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => /[a-z]{2}/.test(sentence))
}

function phrasesIn(sentence) {
  return phrases.flatMap(({ name, pattern }) => Array.from(sentence.matchAll(pattern), () => name))
}

function summary({ words, phrases: found, longSentences }) {
  return { words, phrases: found, per1000Words: perThousand(found, words), longSentences }
}

function perThousand(found, words) {
  return words === 0 ? 0 : Math.round((found / words) * 10_000) / 10
}

function report(today, baseline) {
  const all = { words: 0, phrases: 0, longSentences: 0 }
  const worse = []
  for (const [name, count] of Object.entries(today)) {
    for (const key of Object.keys(all)) all[key] += count[key]
    const allowed = baseline[name] ?? { phrases: 0, longSentences: 0 }
    for (const key of ['phrases', 'longSentences'])
      if (count[key] > allowed[key])
        worse.push(
          `${name}: ${key} ${count[key]}, allowed ${allowed[key]}. See them: node scripts/check-english.mjs --list ${name}`,
        )
  }
  if (option === '--table') console.table(today)
  for (const line of worse) console.log(line)
  console.log(
    `English: ${perThousand(all.phrases, all.words)} phrases per 1000 words (${all.phrases} in ${all.words}), ${all.longSentences} sentences over ${longestSentence} words.`,
  )
  if (worse.length > 0) process.exitCode = 1
}
