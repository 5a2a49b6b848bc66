import { describe, expect, test } from 'vitest'
import { xmlElement } from '#telephone/streams/xml.js'

describe('an XML element', () => {
  test('has escaped attributes and text', () => {
    expect(xmlElement('A', { b: `<&"'>`, c: null }, xmlElement('D', {}), { text: '<&>' })).toBe(
      '<A b="&lt;&amp;&quot;&apos;&gt;"><D/>&lt;&amp;&gt;</A>',
    )
  })

  test('has no character that XML forbids', () => {
    const text = `a\u0000\u0008\u000b\u001f\ud800\uffff\t\n\r\u{1f600}b`
    expect(xmlElement('A', {}, { text })).toBe('<A>a\t\n\r\u{1f600}b</A>')
  })
})
