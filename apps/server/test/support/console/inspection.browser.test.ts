import { expect, test } from 'vitest'
import { newVisitor } from '../browser/browser.js'
import { makeInspection } from './inspection.js'

/** Opens a page in the light theme. */
async function openPage(style: string, html: string) {
  const page = await (await newVisitor({ colorScheme: 'light' })).newPage()
  await page.setContent(
    `<!doctype html><html lang="en"><title>Two themes</title>
     <style>:root { color-scheme: light dark; background: light-dark(white, black) } ${style}</style>
     ${html}`,
  )
  return { page, wear: (colorScheme: 'light' | 'dark') => page.emulateMedia({ colorScheme }) }
}

/** Returns all findings. */
async function findIn(style: string, html: string): Promise<readonly string[] | undefined> {
  const looked = makeInspection(await openPage(style, `<main>${html}</main>`))
  await looked.inspect('page')
  return looked.found['page']
}

test('finds problems that appear only in the second theme: colors and new elements', async () => {
  expect(await findIn('p { color: light-dark(black, #222) }', '<p>Hard to read</p>')).toEqual([
    'dark: color-contrast: <p>Hard to read</p>',
  ])
  const dark = '@media (prefers-color-scheme: dark) { button { display: block } }'
  expect(await findIn(`button { display: none } ${dark}`, '<button></button>')).toEqual([
    'dark: button-name: <button></button>',
  ])
  expect(await findIn('', '<p>Easy to read</p>')).toEqual([])
})

test('checks a part of the page without its frame, and restores the frame afterwards', async () => {
  const halves = ['header', 'navbar'].map(
    (half) => `<div class="mantine-AppShell-${half}"><b>${half}</b></div>`,
  )
  const opened = await openPage('', `${halves.join('')}<main><button></button></main>`)
  const before = await opened.page.content()
  const looked = makeInspection(opened)
  await looked.inspect('main', 'main')
  expect(looked.found).toEqual({ main: ['light: button-name: <button></button>'] })
  expect(await opened.page.content()).toBe(before)
})
