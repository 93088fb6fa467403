"use strict";

// The sounds of the page, which the browser makes. Without sound, or before the first touch, nothing is played.
class Sound {
    isOn = true;
    #context = null;

    // Plays notes one after another: frequencies in hertz, with the length of each in seconds.
    play(notes, length = 0.12, type = "triangle") {
        if (!this.isOn || !window.AudioContext) return;
        try {
            this.#context ??= new AudioContext();
            const { currentTime: now, destination } = this.#context;
            for (const [index, frequency] of notes.entries()) {
                const [oscillator, gain] = [this.#context.createOscillator(), this.#context.createGain()];
                const start = now + index * length;
                oscillator.type = type;
                oscillator.frequency.value = frequency;
                gain.gain.setValueAtTime(0.15, start);
                gain.gain.exponentialRampToValueAtTime(0.001, start + 2 * length);
                oscillator.connect(gain).connect(destination);
                oscillator.start(start);
                oscillator.stop(start + 2 * length);
            }
        } catch {
            this.isOn = false;
        }
    }

    right() {
        this.play([659, 880]);
    }

    wrong() {
        this.play([196, 165], 0.15, "sine");
    }

    complete() {
        this.play([523, 659, 784, 1047, 784, 1047], 0.14);
    }
}
