/** The phrases that the style rules avoid. Each entry counts every match in a sentence. */
const sources = {
  whoever: /\b(whoever|whomever|nobody|somebody)\b/gi,
  'of which': /\bof which\b/gi,
  'is told': /\b(is|are|was|were|be|being|been|gets?) told\b/gi,
  'by itself': /\bby (itself|themselves)\b/gi,
  'goes by': /\b(goes|go|going) by\b/gi,
  'all the same': /\ball the same\b/gi,
  'in one go': /\bin one go\b/gi,
  'so many': /\bso many\b/gi,
  'what is more': /\bwhat is more\b/gi,
  'for good': /\bfor good\b/gi,
  'at rest': /\bat rest\b/gi,
  anew: /\banew\b/gi,
  meanwhile: /\bmeanwhile(?=[.;,]|$)/gi,
  stands: /\bstands? (in|for|at|behind|below|above|beside|there|on|by)\b(?! (alone|still))/gi,
  // Cleft openings such as "What came of the turn that an attempt was." Questions, short labels and "What's
  // New" do not match.
  'What …': /^[("'`*]*What (?!s New|is new)(\S+ ){7,}[^?]*$/g,
  'Whom …': /\bwhom\b/gi,
  // "Where" is for places. A sentence that begins with it is nearly always a condition.
  'Where …': /^[("'`*]*Where (?!the service publishes|to )[^?]*$/g,
  'where it is':
    /,? where (nothing|nobody|something|there (is|are)|it (is|was)|they are|that is|this is|one is|none)\b/gi,
  'what it is':
    /(?<=\w,? )what (it|they|he|she|was|are|were|has|have|had|comes?|came|goes|lies|lay|stands|belongs|follows|needs?|did|can|may|must|will|would|cannot)\b|\b(of|from|by|to|for|in|with) what is\b/gi,
  'is no':
    /(?<!there )\b(is|are|was|were) no (?!longer|more\b|less\b|one\b|match|data|limit|need|way|default|room|difference)[a-z]+/g,
  'is none': /(?<!there )\b(is|are|was|were) none\b/gi,
  'the other one': /\bthe other one\b/gi,
  'does so': /\b(does|do|did) so\b/gi,
}

export const phrases = Object.entries(sources).map(([name, pattern]) => ({ name, pattern }))
