/** What a sign-in says of itself. A passkey signs no other statement: it would be under a text that its sheet does not show. */
export const SIGN_IN_STATEMENT = 'Sign in to Ampersat. This moves no money and allows nothing.';
