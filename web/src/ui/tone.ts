// How what a status says is meant.
export type Tone = 'good' | 'busy' | 'bad' | 'quiet';
