// What a question adds when the words of a command are in doubt.

export const doubt = {
  'ask-note': 'Note: “{$note}”',
  'ask-left-out': 'I don’t know {$labels} yet, so they get nothing. The others get their share.',
  'ask-why-note_unclear': 'Amounts are in dollars. Put “for” before a note and I won’t ask.',
  'ask-why-conditional': 'That reads like a condition or a change of mind. If you confirm, it is sent now.',
  'ask-why-other_amount': 'I saw another amount in there. This amount is sent.',
  'ask-why-other_recipient': 'I saw someone else in there. Only the person above gets it.',
  'ask-why-sentence': 'I read this out of your sentence.',
  'ask-why-separator': 'I wasn’t sure what the sign in there means.',
  'ask-why-suggestion': 'I couldn’t read all of that. Did you mean this?',
  'ask-why-left_out': 'Send it without them?',
  'error-reactions_limited': 'You’ve sent twenty tips by reaction this hour. Try again {$when}.',
  'react-receive_only': 'Set a spending limit first, then set your reaction again.',
  'x-ask-total': 'Send {$total} to {$people} people (fees {$fees})?',
} as const;
