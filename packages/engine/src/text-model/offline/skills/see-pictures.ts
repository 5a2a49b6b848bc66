import { disclosedOnce } from '../disclosure.js'
import { type OfflineStep, type Question, say } from '../question.js'

const pictures = /\b(?:picture|photo|photograph|image|screenshot|drawing|diagram|snapshot|selfie|scan)s?\b/i
const looking =
  /\b(?:what|who|where|which|how many|describe|see|look|show|shows|read|is there|are there|recogni[sz]e|tell)\b/i
const deictic =
  /\b(?:what (?:is|'s) (?:this|that|it|here|(?:in|on) (?:it|there))|what's (?:this|that|it|here)|what (?:do|can) you see|describe (?:this|it|that)|who is (?:this|that)|do you see|can you see (?:it|this|that))\b/i

/** A question about a picture, which this model cannot see. */
export function seePictures({ words, hasPictures, earlier, passages, tools }: Question): OfflineStep | null {
  const isAboutOne =
    pictures.test(words) &&
    looking.test(words) &&
    /\b(?:the|this|that|my|attached|these|those)\b/i.test(words)
  const isPointing =
    hasPictures && passages.length === 0 && deictic.test(words) && words.split(/\s+/).length <= 8
  const hasTool = tools.some(({ name }) => /image|picture|photo|vision/i.test(name))
  if (hasTool || !(isAboutOne || isPointing)) return null
  return say(disclosedOnce(earlier, 'I cannot see pictures. Tell me in words what is in it.'))
}
