import { describe, expect, test } from 'vitest'
import { parseAllowedHosts } from '#server/adapters/outbound/allowed-hosts.js'
import { makeOutbound } from '#server/adapters/outbound/outbound.js'

describe('allowed private hosts [OUT-4]', () => {
  test.each([
    ['localhost', 'http://localhost:3000/'],
    ['LocalHost', 'http://localhost/'],
    ['localhost', 'http://LOCALHOST./'],
    ['localhost.', 'http://localhost/'],
    ['localhost:3000', 'http://localhost:3000/'],
    ['localhost:80', 'http://localhost/'],
    ['localhost:443', 'https://localhost/'],
    [' 10.0.0.5 ', 'http://10.0.0.5/'],
    ['10.0.0.5:8443', 'https://10.0.0.5:8443/'],
    ['127.0.0.1', 'http://2130706433/'],
    ['127.1', 'http://127.0.0.1/'],
    ['::1', 'http://[::1]/'],
    ['[::1]', 'http://[0:0:0:0:0:0:0:1]/'],
    ['[::1]:3000', 'http://[::1]:3000/'],
    ['FD00::A', 'http://[fd00::a]/'],
    ['b\u00fccher.localhost', 'http://xn--bcher-kva.localhost/'],
  ])('%s allows %s', (entry, url) => {
    const outbound = makeOutbound({ allowedPrivateHosts: ['other.test', entry] })
    expect(outbound.explainRefusal(url)).toBeNull()
    expect(outbound.explainRefusal(url.replace('http', 'ws'), 'websocket')).toBeNull()
  })

  test.each([
    ['localhost:3000', 'http://localhost:3001/'],
    ['localhost:443', 'http://localhost/'],
    ['localhost', 'http://127.0.0.1/'],
    ['localhost', 'http://a.localhost/'],
    ['a.localhost', 'http://localhost/'],
    ['127.0.0.1', 'http://localhost/'],
    ['127.0.0.1', 'http://127.0.0.2/'],
    ['127.0.0.1', 'http://[::ffff:127.0.0.1]/'],
    ['10.0.0.5', 'http://user:password@10.0.0.5/'],
    ['10.0.0.5', 'ftp://10.0.0.5/'],
  ])('%s does not allow %s', (entry, url) => {
    expect(makeOutbound({ allowedPrivateHosts: [entry] }).explainRefusal(url)).not.toBeNull()
  })

  test('reports every mistake at once', () => {
    const mistakes = [
      '',
      'http://localhost',
      'localhost:0',
      'localhost:65536',
      'a/b',
      'a@b',
      '[::1',
      '10.0.0.0/8',
      'a b',
    ]
    expect(() => parseAllowedHosts(['fine', ...mistakes])).toThrow(mistakes.join(', '))
  })
})
