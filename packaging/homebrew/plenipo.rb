# Made by scripts/recipes.py from pyproject.toml; do not edit.
class Plenipo < Formula
  include Language::Python::Virtualenv

  desc "Diplomacy where the rules are a variable"
  homepage "HOMEPAGE"
  url "URL_OF_THE_SDIST"
  version "0.1.0"
  sha256 "SHA256_OF_THE_SDIST"
  license "MIT"

  depends_on "rust" => :build # for pydantic-core
  depends_on "libyaml"
  depends_on "python@3.14"

  # Here stand the packages that it needs: brew update-python-resources plenipo

  def install
    virtualenv_install_with_resources
    generate_completions_from_executable(bin/"plenipo", "completions", shells: [:bash, :zsh, :fish])
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/plenipo --version")
    system bin/"plenipo", "show", "--svg", testpath/"board.svg"
  end
end
