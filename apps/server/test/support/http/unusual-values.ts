/** Texts that look dangerous but are valid. */
export const unusualTexts = [
  'Ω ≈ ç √ ∫ µ',
  'مرحبا بالعالم',
  'เด็กที่มีปัญหาทางการเรียนรู้',
  '👩‍👩‍👧‍👦 🏴‍☠️ 🇺🇳 𝒳𝒴𝒵',
  'e\u0301 is not \u00e9',
  '\u0001\u001f\u007f\u0085',
  '\u202eright to left\u202c',
  '\ufeffa mark and \ufffd and \uffff and \u{10ffff}',
  'two\u2028lines and\u2029paragraphs',
  "Robert'); drop table task;--",
  '%00 \\u0000 $1 {{7*7}} <b>&amp;</b>',
  '__proto__',
  'constructor',
  'null',
  '  inner  and outer space  ',
]

export const unusualMoments = [
  '1970-01-01T00:00:00Z',
  '2000-02-29T23:59:59.999+14:00',
  '2030-01-31T09:00:00.123456789Z',
  '2030-01-31T09:00:00-00:00',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59.9999999Z',
]
