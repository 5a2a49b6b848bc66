import { expect, test } from 'vitest'
import { newVisitor } from '../browser/browser.js'
import { makeInspection } from './inspection.js'

/** What is found in a page that was light when it was opened. */
async function findIn(style: string, html: string): Promise<readonly string[] | undefined> {
  const page = await (await newVisitor({ colorScheme: 'light' })).newPage()
  await page.setContent(
    `<!doctype html><html lang="en"><title>Two themes</title>
     <style>:root { color-scheme: light dark; background: light-dark(white, black) } ${style}</style>
     <main>${html}</main>`,
  )
  const looked = makeInspection({ page, wear: (colorScheme) => page.emulateMedia({ colorScheme }) })
  await looked.inspect('all of it')
  return looked.found['all of it']
}

test('what only the second theme shows is found: colours, and things that were not there before', async () => {
  expect(await findIn('p { color: light-dark(black, #222) }', '<p>Hard to read</p>')).toEqual([
    'dark: color-contrast: <p>Hard to read</p>',
  ])
  const dark = '@media (prefers-color-scheme: dark) { button { display: block } }'
  expect(await findIn(`button { display: none } ${dark}`, '<button></button>')).toEqual([
    'dark: button-name: <button></button>',
  ])
  expect(await findIn('', '<p>Easy to read</p>')).toEqual([])
})
