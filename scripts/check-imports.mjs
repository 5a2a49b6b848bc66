// Checks that imports follow the directions in .dependency-cruiser.mjs. dependency-cruiser cannot read this TypeScript
// version, and compiled files have lost their type imports, which must follow the rules too. Therefore this script runs it
// on a mirror of the sources that contains only imports.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cruise } from 'dependency-cruiser'
import { parseSync, Visitor } from 'oxc-parser'
import rules from '../.dependency-cruiser.mjs'

const top = fileURLToPath(new URL('../', import.meta.url))

/** Returns the forbidden imports of the workspaces in `root`. */
async function findForbiddenImports(root, isChecked) {
  await mkdir(`${top}.cache`, { recursive: true })
  // The mirror is inside the repository, so that packages resolve from it.
  const mirror = await mkdtemp(`${top}.cache/imports-`)
  try {
    const files = await mirrorSources(root, mirror, isChecked)
    const { output } = await cruise(
      files
        .map((file) => file.split('/src/', 1)[0])
        .filter((name, index, names) => names.indexOf(name) === index),
      {
        baseDir: mirror,
        validate: true,
        ruleSet: rules,
        doNotFollow: { path: 'node_modules|/dist/' },
        skipAnalysisNotInRules: true,
      },
      {
        exportsFields: ['exports'],
        conditionNames: ['import', 'node', 'types', 'default'],
        mainFields: ['main', 'types'],
      },
    )
    const seen = output.modules.filter(({ source }) => files.includes(source)).length
    const isBlind = seen === 0 || seen !== files.length
    const violations = isBlind
      ? [`dependency-cruiser saw ${seen} of ${files.length} files`]
      : output.summary.violations.map(describe)
    return { files: files.length, violations: [...new Set(violations)].sort() }
  } finally {
    await rm(mirror, { recursive: true, force: true })
  }
}

async function mirrorSources(root, mirror, isChecked) {
  const { workspaces } = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
  const files = []
  for (const name of workspaces.filter(isChecked)) {
    const entries = await readdir(`${root}${name}/src`, { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      if (!entry.isFile() || !/(?<!\.d)\.tsx?$/.test(entry.name)) continue
      const source = `${entry.parentPath}/${entry.name}`.slice(root.length).replaceAll('\\', '/')
      const file = source.replace(/\.tsx?$/, '.js')
      const lines = importsIn(source, await readFile(`${root}${source}`, 'utf8')).map(
        ({ specifier, isProgram }) =>
          isProgram ? `require(${JSON.stringify(specifier)})\n` : `import ${JSON.stringify(specifier)}\n`,
      )
      await mkdir(dirname(`${mirror}/${file}`), { recursive: true })
      await writeFile(`${mirror}/${file}`, lines.join(''))
      files.push(file)
    }
    await cp(`${root}${name}/package.json`, `${mirror}/${name}/package.json`)
  }
  return files
}

/** Returns the imports of a file: static, type-only, dynamic, re-exports, and programs that it starts. */
function importsIn(name, text) {
  const found = new Map()
  const add = (specifier) => {
    // Style sheets and text files are not modules.
    if (typeof specifier === 'string' && !/\.css$|\?raw$/.test(specifier)) found.set(specifier, false)
  }
  const parsed = parseSync(name, text)
  for (const { moduleRequest } of parsed.module.staticImports) add(moduleRequest.value)
  for (const { entries } of parsed.module.staticExports)
    for (const { moduleRequest } of entries) add(moduleRequest?.value)
  // The following needs a full parse, which most files can skip.
  if (/\bimport\s*\(|\brequire\b|\bURL\b/.test(text)) visitExpressions(parsed.program, found, add)
  return [...found].map(([specifier, isProgram]) => ({ specifier, isProgram }))
}

function visitExpressions(program, found, add) {
  const addLiteral = (literal) =>
    add(literal?.type === 'TemplateLiteral' ? literal.quasis[0]?.value.cooked : literal?.value)
  new Visitor({
    ImportExpression: (node) => addLiteral(node.source),
    TSImportType: (node) => addLiteral(node.source),
    CallExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'require') addLiteral(node.arguments[0])
    },
    NewExpression: (node) => {
      const [path, base] = node.arguments
      const isModule = node.callee.name === 'URL' && base?.type === 'MemberExpression'
      // Programs of other packages are started from their compiled files.
      if (isModule && /^\.[^$]*\.js$/.test(path?.value))
        found.set(path.value.replace('/dist/', '/src/'), true)
    },
  }).visit(program)
}

function describe({ from, to, rule, cycle }) {
  // A cycle is reported once for each of its members.
  const way = cycle ? firstAtFront(cycle.map(({ name }) => name)) : [from, to]
  return `${rule.name}: ${way.map(asWritten).join(' → ')}`
}

function firstAtFront(circle) {
  const start = circle.indexOf([...circle].sort()[0])
  return [...circle.slice(start), ...circle.slice(0, start + 1)]
}

function asWritten(path) {
  return path.startsWith('.') ? path.replace(/^(\.\.\/)+/, '') : path.replace(/(\/src\/.*)\.js$/, '$1.ts')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // `--qa` checks only quality assurance, which the default check leaves out.
  const { values, positionals } = parseArgs({ options: { qa: { type: 'boolean' } }, allowPositionals: true })
  const isChecked = (name) => name.startsWith('qa/') === (values.qa ?? false)
  const roots = positionals.map((root) => `${resolve(root)}/`)
  for (const root of roots.length === 0 ? [top] : roots) {
    const { files, violations } = await findForbiddenImports(root, isChecked)
    for (const violation of violations) console.log(violation)
    console.log(`Imports: ${files} files, ${violations.length} forbidden.`)
    if (violations.length > 0) process.exitCode = 1
  }
}
