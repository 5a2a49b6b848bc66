/** Voices of OpenAI. Other providers have their own, which can be typed. */
export const voices = [
  'alloy',
  'ash',
  'ballad',
  'cedar',
  'coral',
  'echo',
  'marin',
  'sage',
  'shimmer',
  'verse',
]
